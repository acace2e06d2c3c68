"""Which IP addresses may be connected to: public ones, never those of our own network.

A page can link to anything: the router of the reader's home, a database on the same machine, the service that hands out
a cloud machine's passwords (169.254.169.254). The addresses that a host name resolves to are checked here, and the
connection is made to one of these, so a name that resolves differently a moment later gains nothing.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

Resolver = Callable[[str], Sequence[str]]
"""Host name -> IP addresses; raises OSError if there are none."""

_WITH_IPV4_AT_END: Final = (
    IPv6Network("64:ff9b::/96"),  # NAT64, RFC 6052
    IPv6Network("::/96"),  # IPv4-compatible: deprecated, but some systems still understand it
)
_LOCAL_NAT64: Final = IPv6Network("64:ff9b:1::/48")
"""RFC 8215: the network's owner decides what it translates to, private addresses included."""


def resolve(host: str) -> tuple[str, ...]:
    """The distinct addresses that the system's resolver returns, in order."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # a label of more than 63 characters
        raise OSError(f"not a host name: {error}") from error
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


def is_public(address: str) -> bool:
    """Whether an address is public, and so is every IPv4 address embedded in it."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    inner = list(_embedded_in(parsed)) if isinstance(parsed, IPv6Address) else []
    if inner:
        return all(map(_is_public, inner))
    return _is_public(parsed)


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    # `is_global` excludes private, loopback, link-local and shared addresses; these kinds have no pages, either.
    is_odd = address.is_multicast or address.is_reserved or address.is_unspecified
    is_site_local = isinstance(address, IPv6Address) and (address.is_site_local or address in _LOCAL_NAT64)
    return address.is_global and not is_odd and not is_site_local


def _embedded_in(address: IPv6Address) -> Iterator[IPv4Address]:
    """IPv4 addresses that a packet to this address may reach."""
    if address.ipv4_mapped:
        yield address.ipv4_mapped
    if address.sixtofour:
        yield address.sixtofour
    if address.teredo:
        yield from address.teredo
    if any(address in network for network in _WITH_IPV4_AT_END):
        yield IPv4Address(int(address) & 0xFFFFFFFF)
