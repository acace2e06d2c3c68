"""Handlers: train a model with the labelled pages, by the method that needs no PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import FileResponse, Response

from dehusk.errors import DehuskError
from dehusk.lab.gold.corpora import GoldPage
from dehusk.lab.training.sequence_label_training import Unusable, label_page, train
from dehusk.webapp.api_errors import ApiError
from dehusk.webapp.api_request import ApiRequest
from dehusk.webapp.app_state import AppState
from dehusk.webapp.jobs import Job
from dehusk.webapp.label_routes import pages_with_gold
from dehusk.webapp.labelled_data import labelled_pages
from dehusk.webapp.responses import attachment
from dehusk.webapp.workspace_records import PageRecord


def train_model(request: ApiRequest) -> Mapping[str, Any]:
    """Start a job that trains sequence labels with all labelled pages."""
    pages = pages_with_gold(request)
    return {"job": request.app.jobs.start("train", lambda job: _train(request.app, job, pages)).as_dict()}


def _train(app: AppState, job: Job, pages: list[PageRecord]) -> dict[str, Any]:
    job.total = len(pages)
    job.begin("reading the labelled pages", len(pages))
    usable, unusable = [], []
    for page in labelled_pages(app.service, pages):
        gold = GoldPage(page.record.name, page.site, "", page.page_type, page.raw, page.text)
        labelled = label_page(gold)
        unusable += [f"{labelled.identifier}: {labelled.cause}"] if isinstance(labelled, Unusable) else []
        usable += [] if isinstance(labelled, Unusable) else [labelled]
        job.advance()
    if not usable:
        raise DehuskError("training", "none of the labelled pages can be used", "label pages with more content")
    job.begin("training")
    model = train(usable, on_iteration=lambda number, loss: job.check())
    model.save(app.workspace.trained_path)
    return {"pages": len(usable), "unusable": unusable[:20]}


def download_trained(request: ApiRequest) -> Response:
    """The model that was trained last, as a file."""
    path = request.app.workspace.trained_path
    if not path.exists():
        raise ApiError(404, "not-found", "no model trained yet", "label pages, then train")
    return FileResponse(path, headers=attachment("sequence-labels.dehusk"), media_type="application/octet-stream")
