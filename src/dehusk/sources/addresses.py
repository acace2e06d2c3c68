"""Which addresses may be connected to: those that anybody could, and none of the network that we happen to be in.

Pages name addresses, and a page can name anything: the router of the reader's home, a database on the same machine,
the service that hands out a cloud machine's passwords (169.254.169.254). Whatever a name resolves to is judged here,
and the connection is then made to that very address, so a name that resolves to something else a moment later gains
nothing.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

Resolver = Callable[[str], Sequence[str]]
"""Host name -> addresses. Raises OSError if there are none."""

_WITH_IPV4_AT_END: Final = (
    IPv6Network("64:ff9b::/96"),  # NAT64, RFC 6052
    IPv6Network("::/96"),  # IPv4-compatible, given up, yet still understood by some systems
)
_LOCAL_NAT64: Final = IPv6Network("64:ff9b:1::/48")
"""RFC 8215: translates to whatever the network's owner likes, private addresses included."""


def resolve(host: str) -> tuple[str, ...]:
    """What the system's resolver says, each address once, in its order."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # a label of more than 63 characters
        raise OSError(f"not a host name: {error}") from error
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


def is_public(address: str) -> bool:
    """Whether an address is one of the public network, and so is every address that is packed into it."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    inner = list(_packed_into(parsed)) if isinstance(parsed, IPv6Address) else []
    if inner:
        return all(map(_is_public, inner))
    return _is_public(parsed)


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    # `is_global` leaves out private, loopback, link-local and shared addresses; the others are not for pages either.
    is_odd = address.is_multicast or address.is_reserved or address.is_unspecified
    is_site_local = isinstance(address, IPv6Address) and (address.is_site_local or address in _LOCAL_NAT64)
    return address.is_global and not is_odd and not is_site_local


def _packed_into(address: IPv6Address) -> Iterator[IPv4Address]:
    """IPv4 addresses that a packet to this address may end up at."""
    if address.ipv4_mapped:
        yield address.ipv4_mapped
    if address.sixtofour:
        yield address.sixtofour
    if address.teredo:
        yield from address.teredo
    if any(address in network for network in _WITH_IPV4_AT_END):
        yield IPv4Address(int(address) & 0xFFFFFFFF)
