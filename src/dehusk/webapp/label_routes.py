"""Handlers: labels of pages, and labelled data as files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from starlette.responses import Response

from dehusk.webapp.api_errors import ApiError, invalid
from dehusk.webapp.api_request import ApiRequest
from dehusk.webapp.labelled_data import labelled_members, labelled_pages, labelled_table
from dehusk.webapp.page_labels import label_lines, label_of, proposed_label, take_labels
from dehusk.webapp.responses import attachment, plain_name, zip_response
from dehusk.webapp.workspace_records import Label, PageRecord


def show_label(request: ApiRequest) -> Mapping[str, Any]:
    """The label of a page, or what is proposed."""
    page = request.app.workspace.page(request.path["page"])
    label = page.label or proposed_label(request.app.service.labelled(page))
    return _label_dict(page, label)


def _label_dict(page: PageRecord, label: Label) -> dict[str, Any]:
    lists = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(label).items()}
    return {"page": page.id, "stored": page.label is not None, **lists}


def set_label(request: ApiRequest) -> Mapping[str, Any]:
    """Set the label of a page."""
    page = request.app.workspace.page(request.path["page"])
    label = label_of(request.json(), len(request.app.service.judged_pages.blocks(page)))
    request.app.workspace.set_labels({page.id: label})
    return {"version": request.app.workspace.state.version, **_label_dict(request.app.workspace.page(page.id), label)}


def remove_label(request: ApiRequest) -> Mapping[str, Any]:
    """Remove the label of a page."""
    page = request.app.workspace.page(request.path["page"])
    request.app.workspace.set_labels({page.id: None})
    return {"version": request.app.workspace.state.version}


def download_labels(request: ApiRequest) -> Response:
    """The labels of checked pages, as `dehusk train hybrid --labels` reads them."""
    pages = [page for page in pages_with_gold(request) if page.is_checked]
    if not pages:
        raise ApiError(409, "conflict", "no checked pages", "check some in the view Label")
    text = "".join(label_lines(request.app.service, pages, _table_name(request)))
    name = _table_name(request).replace("labelled", "labels", 1)
    return Response(text.encode("utf-8"), headers=attachment(f"{name}.jsonl"), media_type="application/jsonl")


def _table_name(request: ApiRequest) -> str:
    """The name of the table of labelled pages, which labels give as their corpus."""
    site = request.query.get("site", "")
    return f"labelled-{plain_name(request.app.workspace.site(site).name)}" if site else "labelled"


def import_labels(request: ApiRequest) -> Mapping[str, Any]:
    """Take over labels from JSON lines."""
    try:
        text = request.body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise invalid("the labels are not UTF-8") from error
    counts = take_labels(request.app.service, text)
    return {"version": request.app.workspace.state.version, **counts}


def download_labelled_folder(request: ApiRequest) -> Response:
    """Labelled pages as a zipped folder."""
    pages = labelled_pages(request.app.service, pages_with_gold(request))
    return zip_response(f"{_table_name(request)}.zip", labelled_members(pages))


def download_labelled_table(request: ApiRequest) -> Response:
    """Labelled pages as a Parquet table."""
    table = labelled_table(labelled_pages(request.app.service, pages_with_gold(request)))
    return Response(
        table, headers=attachment(f"{_table_name(request)}.parquet"), media_type="application/vnd.apache.parquet"
    )


def pages_with_gold(request: ApiRequest) -> list[PageRecord]:
    """Pages that a person has checked or pasted the text of; an error if there are none."""
    workspace, site = request.app.workspace, request.query.get("site", "")
    pages = workspace.pages_of(workspace.site(site).id) if site else list(workspace.state.pages.values())
    found = [page for page in pages if page.gold or page.is_checked]
    if not found:
        raise ApiError(409, "conflict", "no labelled pages", "check some in the view Label, or add gold text to pages")
    return found
