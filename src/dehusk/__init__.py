"""dehusk takes the husk off web pages: it keeps the main content and drops navigation, ads and other noise.

    >>> import dehusk
    >>> page = dehusk.clean("<title>Tea</title><p>" + "Steep the leaves for three minutes. " * 5)
    >>> page.text[:35]
    'Steep the leaves for three minutes.'

The names below are the public ones. They are imported on first use, so that `import dehusk` stays as light as what is
used of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from dehusk.version import __version__

if TYPE_CHECKING:
    from dehusk.blocks.columns import Blocks, Kind
    from dehusk.blocks.segmenting import segment
    from dehusk.cleaning import CleanedBlock, CleanedPage, clean
    from dehusk.documents.options import OutputOptions
    from dehusk.errors import (
        AddressRefused,
        DehuskError,
        EmptyPage,
        EngineError,
        FetchError,
        GoldError,
        InvalidSetting,
        MissingExtra,
        ModelError,
        NoPages,
        NotAPage,
        NotChanged,
        NotFollowed,
        NotHtml,
        NotServed,
        OutOfMemory,
        OutputError,
        PageError,
        PageSkipped,
        PageTooLarge,
        RepeatedPage,
        ResponseTooLarge,
        RobotsRefused,
        ServerFailed,
        SourceError,
        SourceNotFound,
        SourceUnreadable,
        TooSlow,
        UnknownName,
        Unreachable,
        WrongType,
    )
    from dehusk.learning import learn, load_model, sample
    from dehusk.limits import Limits
    from dehusk.metadata.finding import find_metadata
    from dehusk.metadata.values import Found, Metadata
    from dehusk.methods import METHODS
    from dehusk.methods.hybrid import Hybrid
    from dehusk.methods.page_evidence import PageEvidence
    from dehusk.methods.pagelet_templates import PageletTemplates
    from dehusk.methods.satisfiable_subtree import SatisfiableSubtree
    from dehusk.methods.sequence_labels import SequenceLabels
    from dehusk.methods.structure_weights import StructureWeights, WeightedVectors, weighted_vectors
    from dehusk.methods.style_tree import StyleTree
    from dehusk.mining_words import telling_words
    from dehusk.network.page_types import PAGE_TYPES
    from dehusk.outputs import OUTPUTS
    from dehusk.outputs.block_json import JsonOptions
    from dehusk.outputs.cleaneval import CleanEvalOptions
    from dehusk.outputs.records import RecordOptions
    from dehusk.outputs.text import TextOptions
    from dehusk.outputs.words import WordsOptions
    from dehusk.page.columns import Page
    from dehusk.page.reading import read_page
    from dehusk.sinks.opening import open_sink
    from dehusk.sites.crawling import crawl
    from dehusk.sites.duplicates import distinct_pages
    from dehusk.sources.fetching import Fetcher, FetchLimits, HttpFetcher
    from dehusk.sources.opening import open_source
    from dehusk.sources.raw_page import RawPage

_HOME = {
    "AddressRefused": "errors",
    "Blocks": "blocks.columns",
    "CleanEvalOptions": "outputs.cleaneval",
    "CleanedBlock": "cleaning",
    "CleanedPage": "cleaning",
    "DehuskError": "errors",
    "EmptyPage": "errors",
    "EngineError": "errors",
    "FetchError": "errors",
    "FetchLimits": "sources.fetching",
    "Fetcher": "sources.fetching",
    "Found": "metadata.values",
    "GoldError": "errors",
    "HttpFetcher": "sources.fetching",
    "Hybrid": "methods.hybrid",
    "InvalidSetting": "errors",
    "JsonOptions": "outputs.block_json",
    "Kind": "blocks.columns",
    "Limits": "limits",
    "METHODS": "methods",
    "Metadata": "metadata.values",
    "MissingExtra": "errors",
    "ModelError": "errors",
    "NoPages": "errors",
    "NotAPage": "errors",
    "NotChanged": "errors",
    "NotFollowed": "errors",
    "NotHtml": "errors",
    "NotServed": "errors",
    "OUTPUTS": "outputs",
    "OutOfMemory": "errors",
    "OutputError": "errors",
    "OutputOptions": "documents.options",
    "PAGE_TYPES": "network.page_types",
    "Page": "page.columns",
    "PageError": "errors",
    "PageEvidence": "methods.page_evidence",
    "PageSkipped": "errors",
    "PageTooLarge": "errors",
    "PageletTemplates": "methods.pagelet_templates",
    "RawPage": "sources.raw_page",
    "RecordOptions": "outputs.records",
    "RepeatedPage": "errors",
    "ResponseTooLarge": "errors",
    "RobotsRefused": "errors",
    "SatisfiableSubtree": "methods.satisfiable_subtree",
    "SequenceLabels": "methods.sequence_labels",
    "ServerFailed": "errors",
    "SourceError": "errors",
    "SourceNotFound": "errors",
    "SourceUnreadable": "errors",
    "StructureWeights": "methods.structure_weights",
    "StyleTree": "methods.style_tree",
    "TextOptions": "outputs.text",
    "TooSlow": "errors",
    "UnknownName": "errors",
    "Unreachable": "errors",
    "WeightedVectors": "methods.structure_weights",
    "WordsOptions": "outputs.words",
    "WrongType": "errors",
    "clean": "cleaning",
    "crawl": "sites.crawling",
    "distinct_pages": "sites.duplicates",
    "find_metadata": "metadata.finding",
    "learn": "learning",
    "load_model": "learning",
    "open_sink": "sinks.opening",
    "open_source": "sources.opening",
    "read_page": "page.reading",
    "sample": "learning",
    "segment": "blocks.segmenting",
    "telling_words": "mining_words",
    "weighted_vectors": "methods.structure_weights",
}
"""Where each public name lives."""

__all__ = [
    "METHODS",
    "OUTPUTS",
    "PAGE_TYPES",
    "AddressRefused",
    "Blocks",
    "CleanEvalOptions",
    "CleanedBlock",
    "CleanedPage",
    "DehuskError",
    "EmptyPage",
    "EngineError",
    "FetchError",
    "FetchLimits",
    "Fetcher",
    "Found",
    "GoldError",
    "HttpFetcher",
    "Hybrid",
    "InvalidSetting",
    "JsonOptions",
    "Kind",
    "Limits",
    "Metadata",
    "MissingExtra",
    "ModelError",
    "NoPages",
    "NotAPage",
    "NotChanged",
    "NotFollowed",
    "NotHtml",
    "NotServed",
    "OutOfMemory",
    "OutputError",
    "OutputOptions",
    "Page",
    "PageError",
    "PageEvidence",
    "PageSkipped",
    "PageTooLarge",
    "PageletTemplates",
    "RawPage",
    "RecordOptions",
    "RepeatedPage",
    "ResponseTooLarge",
    "RobotsRefused",
    "SatisfiableSubtree",
    "SequenceLabels",
    "ServerFailed",
    "SourceError",
    "SourceNotFound",
    "SourceUnreadable",
    "StructureWeights",
    "StyleTree",
    "TextOptions",
    "TooSlow",
    "UnknownName",
    "Unreachable",
    "WeightedVectors",
    "WordsOptions",
    "WrongType",
    "__version__",
    "clean",
    "crawl",
    "distinct_pages",
    "find_metadata",
    "learn",
    "load_model",
    "open_sink",
    "open_source",
    "read_page",
    "sample",
    "segment",
    "telling_words",
    "weighted_vectors",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'dehusk' has no attribute {name!r}")
    return getattr(import_module(f"dehusk.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
