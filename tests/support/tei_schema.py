"""TEI P5 as a DTD: the one that trafilatura ships, and the same with the modules it lacks."""

from __future__ import annotations

import io
from functools import cache
from importlib.resources import files

from lxml import etree

_ADDED_TO_CLASSES = {
    '<!ENTITY % model.listLike "': "table |",
    '<!ENTITY % model.global "': "figure |",
    '<!ENTITY % model.graphicLike "': "formula |",
    '<!ENTITY % model.emphLike "': "code |",
}
_DECLARED = """
<!ELEMENT table ((%model.headLike;|%model.global;)*,
  ((row,(%model.global;)*)+|((%model.graphicLike;),(%model.global;)*)+),
  ((%model.divBottom;),(%model.global;)*)*)>
<!ATTLIST table xmlns CDATA "http://www.tei-c.org/ns/1.0">
<!ATTLIST table %att.global.attributes; rows CDATA #IMPLIED cols CDATA #IMPLIED>
<!ELEMENT row (cell|table)+>
<!ATTLIST row xmlns CDATA "http://www.tei-c.org/ns/1.0">
<!ATTLIST row %att.global.attributes; role CDATA "data" rows CDATA "1" cols CDATA "1">
<!ELEMENT cell %macro.specialPara;>
<!ATTLIST cell xmlns CDATA "http://www.tei-c.org/ns/1.0">
<!ATTLIST cell %att.global.attributes; role CDATA "data" rows CDATA "1" cols CDATA "1">
<!ELEMENT figure (%model.headLike;|%model.common;|figDesc|%model.graphicLike;|%model.global;|%model.divBottom;)*>
<!ATTLIST figure xmlns CDATA "http://www.tei-c.org/ns/1.0">
<!ATTLIST figure %att.global.attributes; type CDATA #IMPLIED>
<!ELEMENT figDesc %macro.limitedContent;>
<!ATTLIST figDesc xmlns CDATA "http://www.tei-c.org/ns/1.0">
<!ATTLIST figDesc %att.global.attributes;>
<!ELEMENT formula (#PCDATA|%model.graphicLike;|%model.hiLike;)*>
<!ATTLIST formula xmlns CDATA "http://www.tei-c.org/ns/1.0">
<!ATTLIST formula %att.global.attributes; notation CDATA #IMPLIED>
<!ELEMENT code (#PCDATA)>
<!ATTLIST code xmlns CDATA "http://www.tei-c.org/ns/1.0">
<!ATTLIST code %att.global.attributes; lang CDATA #IMPLIED>
"""
_OF_OTHER_MODULES = ("table", "figure", "formula", "code")


def tei_errors(document: str) -> list[str]:
    """What the schema says against a TEI document.

    The DTD has no `figures` (table, row, cell, figure, figDesc, formula) and no `tagdocs` (code). A document with any
    of these is checked with them added, by the content models and classes that TEI P5 gives them; every other document
    is checked with the DTD as it is.
    """
    root = etree.fromstring(document.encode())
    is_beyond = any(next(root.iter("{*}" + name), None) is not None for name in _OF_OTHER_MODULES)
    schema = _schema(is_beyond)
    # A DTD knows no namespaces: names are compared as they are written, and `xmlns` is an attribute it declares.
    schema.validate(root)
    return [error.message for error in schema.error_log]


@cache
def _schema(is_extended: bool) -> etree.DTD:
    text = (files("trafilatura") / "data" / "tei_corpus.dtd").read_text("utf-8")
    if is_extended:
        for declaration, members in _ADDED_TO_CLASSES.items():
            assert text.count(declaration) == 1
            text = text.replace(declaration, declaration + members)
        text += _DECLARED
    return etree.DTD(io.BytesIO(text.encode()))
