"""Pages written for the tests of the network."""

from __future__ import annotations

import dehusk
from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment

SENTENCE = "The kettle of the old house was on the stove, and the tea in it was as black as the night. "

ARTICLE = (
    "<title>Tea at night | Kettle</title><meta name=description content='A kettle, a stove'>"
    "<nav class=siteMenu><ul><li><a href=/>Home</a><li><a href=/tea>Tea</a></ul></nav>"
    f"<article id=post-17><h1>Tea at night</h1><p>{SENTENCE}</p><p>{SENTENCE * 3}</p></article>"
    "<footer><p>© 2024 Kettle</p></footer>"
)


def blocks_of(html: str) -> Blocks:
    return segment(dehusk.read_page(html))


WRITTEN = {
    "empty": "",
    "no text": "<title></title><p><img src=x></p>",
    "one block": SENTENCE,
    "only hidden": f"<div hidden><p>{SENTENCE}</div>",
    "article": ARTICLE,
    "chinese": "<title>茶</title><div><p>这是一个普通的中文网页，内容是关于茶叶的种植和加工。<p>二</div>",
    "right to left": "<html dir=rtl><title>شاي</title><p>هذا نص عن الشاي في البيت القديم، وكان الليل طويلا.<p>في من",
    "beyond the basic plane": "<p>𝐅𝐞𝐜𝐡𝐚 𝟏 😢 𠀀𠀁</p>",
    "signs": "<p>©</p><p>→ | ·</p><p>...</p>",
    "a long word": f"<p>{'x' * 70_000} end</p><p>{'y ' * 70_000}</p>",
}
