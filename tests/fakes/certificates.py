"""Certificates for tests: good ones and all the bad ones, from an authority of our own."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_DAY = timedelta(days=1)


@dataclass
class Authority:
    """Signs; whoever is to believe it uses `trusting`."""

    folder: Path

    def __post_init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Authority of the tests")])
        made = self._certificate(self._name, self._key).add_extension(x509.BasicConstraints(True, None), critical=True)
        usage = x509.KeyUsage(True, False, False, False, False, True, True, False, False)
        identifier = x509.SubjectKeyIdentifier.from_public_key(self._key.public_key())
        made = made.add_extension(usage, critical=True).add_extension(identifier, critical=False)
        self._own = made.sign(self._key, hashes.SHA256())

    @cached_property
    def trusting(self) -> ssl.SSLContext:
        """A client's context that believes this authority alone."""
        return ssl.create_default_context(cadata=self._own.public_bytes(serialization.Encoding.PEM).decode())

    def server(
        self, host: str, *, starts: int = -1, ends: int = 30, self_signed: bool = False, alpn: tuple[str, ...] = ()
    ) -> ssl.SSLContext:
        """A server's context; days from now between which its certificate is valid."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
        made = self._certificate(name, key, starts, ends, issuer=name if self_signed else self._name)
        made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        by = key if self_signed else self._key
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(by.public_key())
        signed = made.add_extension(issuer, critical=False).sign(by, hashes.SHA256())
        path = self.folder / f"{host}-{starts}-{ends}-{self_signed}.pem"
        path.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
            + signed.public_bytes(serialization.Encoding.PEM)
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        if alpn:
            context.set_alpn_protocols(list(alpn))
        return context

    def _certificate(
        self,
        name: x509.Name,
        key: ec.EllipticCurvePrivateKey,
        starts: int = -1,
        ends: int = 30,
        issuer: x509.Name | None = None,
    ) -> x509.CertificateBuilder:
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(issuer or name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now + starts * _DAY)
            .not_valid_after(now + ends * _DAY)
        )
