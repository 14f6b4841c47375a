"""Faults of connections in words that a reader of the answer understands."""

from __future__ import annotations

import ssl

import httpcore2

from answerable.providers.reading.guard import Refused, Target

# The numbers are OpenSSL's (X509_V_ERR_…, in its verify(1)), which have kept their meaning since its first versions.
_CERTIFICATES = {
    9: "is not valid yet",
    10: "has expired",
    18: "is self-signed",
    19: "is signed by an authority that nobody vouches for",
    20: "comes from an authority that is not known here",
    21: "comes without the chain that would prove it",
    23: "has been revoked",
    62: "is for another host",
    64: "is for another address",
}
_TLS = {
    "WRONG_VERSION_NUMBER": "does not speak TLS on this port",
    "HTTP_REQUEST": "does not speak TLS on this port",
    "UNSUPPORTED_PROTOCOL": "speaks only versions of TLS that are no longer safe",
    "NO_PROTOCOLS_AVAILABLE": "speaks only versions of TLS that are no longer safe",
    "UNEXPECTED_EOF_WHILE_READING": "broke off while the secure connection was made",
    "DH_KEY_TOO_SMALL": "offers keys that are too weak",
    "EE_KEY_TOO_SMALL": "offers keys that are too weak",
    "TLSV1_UNRECOGNIZED_NAME": "does not know this name",
}


def named(fault: BaseException, target: Target) -> Refused:
    """A transport's fault with its cause; certificates apart from the rest."""
    host = target.host
    cause: BaseException | None = fault
    while cause is not None:
        if isinstance(cause, Refused):
            return cause
        if isinstance(cause, ssl.SSLCertVerificationError):
            meaning = _CERTIFICATES.get(cause.verify_code, f"is not valid ({cause.verify_message})")
            return Refused("tls", f"the certificate of {host} {meaning}")
        if isinstance(cause, ssl.SSLError):
            reason = cause.reason or "no reason given"
            meaning = _TLS.get(reason, f"offers no secure connection ({reason.replace('_', ' ').lower()})")
            return Refused("tls", f"{host} {meaning}")
        cause = cause.__cause__ or cause.__context__
    if isinstance(fault, httpcore2.TimeoutException):
        return Refused("timeout", f"{host} did not answer")
    if isinstance(fault, httpcore2.ProxyError):
        return Refused("connection", f"the proxy gave no connection to {host}: {fault}")
    if isinstance(fault, httpcore2.ProtocolError):
        return Refused("connection", f"{host} broke off or does not speak HTTP: {fault}")
    return Refused("connection", f"{host} cannot be reached: {fault}")
