"""Drawings for reports, as svg to put into a page."""

from __future__ import annotations

import io
import re
import warnings
from typing import Any, Final

from dehusk.errors import MissingExtra

_SETTINGS: Final[dict[Any, Any]] = {
    "svg.fonttype": "none",  # text stays text: smaller, and readable to those who listen
    "svg.hashsalt": "dehusk",  # the same scores give the same file
    "text.parse_math": False,
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
COLOURS: Final = tuple(
    "#444444 #0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #8c6d31 #7a5195 #b2182b #5ab4ac #a6a6a6".split()
)
"""Okabe and Ito's, which colour-blind people can tell apart, and more for those who bring many cleaners."""
_METADATA: Final = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)


def new_figure(width: float, height: float, rows: int = 1, columns: int = 1) -> tuple[Any, Any]:
    """A figure of its own: no window system, no state between plots."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("matplotlib", "needed for plots", "pip install 'dehusk[eval]'") from error
    with rc_context(_SETTINGS):
        figure = Figure(figsize=(width, height), layout="constrained")
        return figure, figure.subplots(rows, columns, squeeze=rows * columns == 1)


def check_plots() -> None:
    """Say what is missing before any other work is done."""
    new_figure(1, 1)


def as_svg(figure: Any, legend_of: Any = None) -> str:
    """The drawing as an svg element; names in it are escaped by matplotlib. A legend is put beside it on demand."""
    from matplotlib import rc_context

    written = io.StringIO()
    with rc_context(_SETTINGS), warnings.catch_warnings():
        # Text stays text, so a glyph that matplotlib's own font lacks is no loss.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        if legend_of is not None:
            figure.legend(*legend_of.get_legend_handles_labels(), loc="outside right upper", frameon=False, fontsize=8)
        figure.savefig(written, format="svg", metadata={"Date": None})
    text = written.getvalue()
    return _METADATA.sub("", text[text.index("<svg") :])
