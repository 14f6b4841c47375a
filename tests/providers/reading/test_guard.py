"""The guard: every way to write a private address is refused, every ordinary address passes."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answerable.providers.reading.guard import Guard, Refused, is_public

PRIVATE = [
    "http://127.0.0.1/", "http://127.1/", "http://0177.0.0.1/", "http://0x7f.0.0.1/", "http://0x7f000001/",
    "http://2130706433/", "http://017700000001/", "http://127.0.0.1./", "http://127.0.1/", "http://0/", "http://0x0/",
    "http://[::1]/", "http://[::]/", "http://[0:0:0:0:0:0:0:1]/", "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/", "http://[::127.0.0.1]/", "http://[64:ff9b::7f00:1]/", "http://[64:ff9b::10.0.0.1]/",
    "http://[64:ff9b:1::808:808]/", "http://[2002:7f00:1::]/", "http://[2002:a00:1::1]/", "http://[fe80::1]/",
    "http://[fc00::1]/", "http://[fd00:ec2::254]/", "http://[ff02::1]/", "http://[2001:db8::1]/", "http://[100::1]/",
    "http://１２７.０.０.１/", "http://127。0。0。1/", "http://①②⑦.⓪.⓪.①/", "http://10.0.0.5/", "http://172.16.0.1/",
    "http://172.31.255.255/", "http://192.168.1.1/", "http://169.254.169.254/latest/", "http://100.100.100.200/",
    "http://168.63.129.16/", "http://192.0.0.192/", "http://198.18.0.1/", "http://224.0.0.1/", "http://240.0.0.1/",
    "http://255.255.255.255/", "http://0.0.0.0/", "http://localhost/", "http://LOCALHOST./", "http://ⓛocalhost/",
    "http://a.localhost/", "http://wiki/", "http://printer.local/", "http://db.internal/", "http://nas.lan/",
    "http://metadata.google.internal/", "http://site.example@127.0.0.1/", "http://site.example:80@127.0.0.1/",
    "http://127.0.0.1:22/", "https://0300.0250.1.1/", "http://127.0.0.1..../", "http://０x７f.１/", "http://0x7F.0x0.0x0.0x1/",
    "http://127.0.0.1:８０/", "https://⑯⑨。②⑤④。⑯⑨｡②⑤④/", "http://[::ffff:169.254.169.254]/", "http://[64:ff9b::a9fe:a9fe]/",
    "http://[2002:a9fe:a9fe::]/", "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/", "http://[::ffff:0:127.0.0.1]/",
    "http://[2606:4700::5efe:7f00:1]/", "http://[2606:4700::200:5efe:a00:1]/", "http://[4000::1]/", "http://[1::1]/",
    "http://[::1%25eth0]/", "http://metadata/", "http://instance-data/", "http://metadata.goog/computeMetadata/v1/",
    "http://metadata.tencentyun.com/", "http://169.254.169.254.nip.io/", "http://10-0-0-1.sslip.io/", "http://lvh.me/",
    "http://kubernetes.default.svc/", "http://a.b.svc.cluster.local/", "http://host.docker.internal/", "http://0b1111/",
]  # fmt: skip
BAD = [
    "file:///etc/passwd", "ftp://site.example/", "gopher://site.example:70/_x", "javascript:alert(1)",
    "data:text/html,x", "//site.example/", "site.example", "", "http://", "http:///path", "http:site.example", "http://site.example:22/",
    "http://site.example:6379/", "http://user@site.example/", "http://user:key@site.example/", "http://site.example\\@x/",
    "http://site.example:99999/", "http://site.example:0/",
    "http://256.1.1.1/", "http://1.2.3.4.5/", "http://0x/.1/a b",
    "http://[::1", "http://[::g]/", "http://exa mple/", "http://a..b/", "http://foo%2eexample/", "http://x\x00.example/",
    "http://site.example/\r\nHost: x", "http://" + "a" * 300 + ".example/", "http://site.example/" + "a" * 5000,
    "http://1.2.3.999999999999/", "http://١٢٧.0.0.1/", "http://127%2e0%2e0%2e1/", "http://127.0.0.1%00.example/",
    "http://site.example%40127.0.0.1/", "http://127.0.0.1\u200b/", "http://1.1.1.1 &@2.2.2.2# @3.3.3.3/",
    "http:\\\\127.0.0.1/", "http:////127.0.0.1/", "http://4294967296/", "HTTP+unix://x/", "blob:http://site.example/",
    "view-source:http://site.example/", "jar:http://site.example!/", "ldap://site.example/", "ws://site.example/",
]  # fmt: skip
GOOD = {
    "https://site.example/": "https://site.example/",
    "http://site.test/a?b=c#d": "http://site.test/a?b=c",
    "HTTP://Site.Example.:80/ä": "http://site.example/%C3%A4",
    "http://site.example:8080/x": "http://site.example:8080/x",
    "https://site.example:8443": "https://site.example:8443/",
    "http://bücher.example/": "http://xn--bcher-kva.example/",
    "http://8.8.8.8/": "http://8.8.8.8/",
    "http://134744072/": "http://8.8.8.8/",
    "http://172.32.0.1/": "http://172.32.0.1/",
    "http://[2606:4700::1111]/": "http://[2606:4700::1111]/",
    "http://[64:ff9b::808:808]/": "http://[64:ff9b::808:808]/",
    "http://[2606:4700::5efe:808:808]/": "http://[2606:4700::5efe:808:808]/",
    "http://notnip.io/": "http://notnip.io/",
    "http://site.example:８０８０/": "http://site.example:8080/",
    "  http://site.example/  ": "http://site.example/",
}


@pytest.mark.parametrize("url", PRIVATE)
def test_private_addresses_are_refused_however_they_are_written(url: str) -> None:
    with pytest.raises(Refused) as caught:
        Guard().check(url)
    assert caught.value.cause == "private_address"


@pytest.mark.parametrize("url", BAD, ids=lambda url: repr(url[:40]))
def test_what_is_no_address_of_a_page_is_refused(url: str) -> None:
    with pytest.raises(Refused) as caught:
        Guard().check(url)
    assert caught.value.cause in {"bad_url", "private_address"}


@pytest.mark.parametrize("url", GOOD)
def test_ordinary_addresses_pass_in_their_plain_form(url: str) -> None:
    assert Guard().check(url).url == GOOD[url]


@given(st.text(max_size=60))
def test_no_text_does_more_than_be_refused(text: str) -> None:
    for url in (text, f"http://{text}", f"http://{text}/"):
        try:
            target = Guard().check(url)
        except Refused:
            continue
        assert target.host


@given(st.ip_addresses())
def test_a_host_written_as_a_number_passes_exactly_when_it_is_public(
    ip: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    url = f"http://[{ip}]/" if ip.version == 6 else f"http://{int(ip)}/"
    try:
        passes = Guard().check(url).host == str(ip)
    except Refused:
        passes = False

    assert passes == is_public(ip)


@pytest.mark.parametrize(
    "answers", [["10.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["8.8.8.8", "::1"], ["fe80::1%eth0"], ["64:ff9b::a00:1"]]
)
async def test_a_name_is_refused_when_any_of_its_addresses_is_private(answers: Sequence[str]) -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return answers

    with pytest.raises(Refused) as caught:
        await Guard(resolve=resolve).addresses("site.example", 443)
    assert caught.value.cause == "private_address"


async def test_allowed_hosts_may_be_private_and_only_on_the_ports_they_name() -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return ["10.0.0.1"]

    guard = Guard(["127.0.0.1:9000", "wiki.internal", "[::1]:7000", "http://nas.lan:5000/"], resolve=resolve)

    assert guard.check("http://127.0.0.1:9000/").port == 9000
    assert guard.check("http://0x7f.1:9000/").host == "127.0.0.1"
    assert guard.check("http://[::1]:7000/").host == "::1"
    assert guard.check("http://nas.lan:5000/").host == "nas.lan"
    assert await guard.addresses(guard.check("https://wiki.internal/").host, 443) == ["10.0.0.1"]
    for url in ("http://127.0.0.1/", "http://127.0.0.1:9001/", "http://wiki.internal:6379/", "http://nas.lan/"):
        with pytest.raises(Refused):
            guard.check(url)


async def test_the_systems_resolver_knows_this_machine_and_no_invented_name() -> None:
    guard = Guard(["localhost"])
    assert {"127.0.0.1", "::1"} & set(await guard.addresses("localhost", 80))
    with pytest.raises(Refused) as caught:
        await guard.addresses("nowhere.invalid", 80)
    guard.close()

    assert caught.value.cause == "connection"
