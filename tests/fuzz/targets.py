"""What is fuzzed, and what must hold: TARGETS has a line for each part that reads what others wrote."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from functools import partial

import crawl_targets
import growth_targets
import model_targets
import page_targets
import seed_files
import source_targets
from containers import (
    mutate_jsonl,
    mutate_jsonl_gz,
    mutate_mhtml,
    mutate_model,
    mutate_parquet,
    mutate_tar,
    mutate_tar_gz,
    mutate_warc,
    mutate_warc_gz,
    mutate_zip,
)
from fuzzing import Target
from mutations import mutate_encoding, mutate_html, mutate_lines

import dehusk


def _model_seeds(name: str) -> Sequence[bytes]:
    return (seed_files.models()[name],)


TARGETS: dict[str, Target] = {
    "decoder": Target(page_targets.decoding, seed_files.encoded_pages, mutate_encoding, batch=500),
    "reader": Target(page_targets.reading, seed_files.encoded_pages, mutate_html, batch=200),
    "blocks": Target(page_targets.segmenting, seed_files.pages, mutate_html, batch=200),
    "style-sheets": Target(page_targets.style_sheets, seed_files.pages, mutate_html, batch=200),
    "metadata": Target(page_targets.metadata, seed_files.pages, mutate_html),
    "outputs": Target(page_targets.outputs, seed_files.pages, mutate_html),
    "validity": Target(page_targets.validity, seed_files.pages, mutate_html, batch=50),
    **{
        f"method-{name}": Target(partial(page_targets.scoring, name), seed_files.pages, mutate_html)
        for name in dehusk.METHODS
    },
    **{
        f"model-{name}": Target(model_targets.loading, partial(_model_seeds, name), mutate_model)
        for name in ("hybrid", "style-tree", "pagelet-templates", "structure-weights", "sequence-labels")
    },
    "model-page-network": Target(model_targets.loading, seed_files.network, mutate_model, batch=50),
    **{
        f"source{suffix}": Target(partial(source_targets.reading, suffix), seeds, mutate)
        for suffix, seeds, mutate in (
            (".warc", seed_files.warcs, mutate_warc),
            (".warc.gz", seed_files.warc_gzs, mutate_warc_gz),
            (".parquet", seed_files.parquets, mutate_parquet),
            (".jsonl", seed_files.json_lines, mutate_jsonl),
            (".jsonl.gz", seed_files.json_lines_gz, mutate_jsonl_gz),
            (".zip", seed_files.zips, mutate_zip),
            (".tar", seed_files.tars, mutate_tar),
            (".tar.gz", seed_files.tar_gzs, mutate_tar_gz),
            (".mhtml", seed_files.mhtmls, mutate_mhtml),
        )
    },
    "source-folder": Target(source_targets.folder, seed_files.folders, mutate_zip),
    "addresses": Target(crawl_targets.addresses, crawl_targets.address_seeds, mutate_lines, batch=500),
    "robots": Target(crawl_targets.robots, crawl_targets.robots_seeds, mutate_lines, batch=200),
    "feeds": Target(crawl_targets.feed, crawl_targets.feed_seeds, mutate_html, batch=500),
    "pruning": Target(page_targets.pruning, seed_files.pages, mutate_html, batch=200),
    "sitemaps": Target(crawl_targets.sitemap, crawl_targets.sitemap_seeds, mutate_html, batch=500),
}
if shutil.which("cargo"):
    # The library that counts is built by it.
    TARGETS["growth"] = Target(
        growth_targets.growing, growth_targets.seeds, growth_targets.mutate_markup, batch=20, patience=900.0
    )
