"""Which addresses are public."""

from __future__ import annotations

import pytest

from dehusk.sources.addresses import is_public

PUBLIC = "8.8.8.8 93.184.215.14 2606:2800:21f:cb07:6820:80da:af6b:8b2c 2002:808:808:: 64:ff9b::808:808".split()

NOT_PUBLIC = """
127.0.0.1 127.8.8.8 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 192.0.0.1
192.0.2.1 198.18.0.1 198.51.100.7 203.0.113.9 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255
:: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:a9fe:a9fe ::127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe
64:ff9b:1::8.8.8.8 2002:7f00:1:: 2002:a9fe:a9fe:: 2002:c0a8:101:: 2001:0:7f00:1:: fe80::1 fe80::1%eth0 fc00::1
fd00:ec2::254 fec0::1 ff02::1 2001:db8::1 100::1 localhost 2130706433
""".split()


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_addresses_that_are_not_public_whatever_they_are_packed_in(address: str) -> None:
    assert not is_public(address)
