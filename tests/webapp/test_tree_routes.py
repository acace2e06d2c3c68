"""The style tree of a site, a few nodes at a time."""

from __future__ import annotations

from typing import Any

from app_tab import Tab, story


def site_of(tab: Tab) -> str:
    return str(tab.workspace()["sites"][0]["id"])


def find(node: Any, label: str) -> Any:
    """The first loaded node with a label."""
    if node["label"] == label:
        return node
    found = (find(child, label) for child in node["children"] or [])
    return next((one for one in found if one), None)


def test_the_root_comes_with_two_levels(tab: Tab) -> None:
    tab.send(*((f"{number}.html", story(number)) for number in range(6)))
    tree = tab.get(f"/api/sites/{site_of(tab)}/tree")
    root = tree["root"]
    assert (tree["learnt"], root["label"], root["pages"], root["mark"]) == (6, "body", 6, "mixed")
    assert root["below"] == tree["places"] - 1
    notice, main = find(root, "div.notice"), find(root, "main")
    assert (notice["mark"], notice["importance"], notice["leaf_pages"]) == ("noisy", 0.0, 6)
    assert notice["samples"] == ["Free delivery on all orders over forty pounds"]
    assert main["mark"] == "meaningful"
    assert main["importance"] > 0.5
    assert main["own_importance"] <= 1


def test_nodes_are_loaded_as_they_are_opened(tab: Tab) -> None:
    tab.send(*((f"{number}.html", story(number)) for number in range(6)))
    address = f"/api/sites/{site_of(tab)}/tree"
    root = tab.get(address)["root"]
    listed = find(root, "ul")
    assert (listed["children"], listed["children_total"]) == (None, 2)
    opened = tab.get(f"{address}/{listed['id']}")
    ancestors = opened.pop("ancestors")
    assert {**opened, "children": None} == listed
    assert ancestors[0] == root["id"]
    assert listed["id"] in [child["id"] for child in tab.get(f"{address}/{ancestors[-1]}")["children"]]
    assert [child["label"] for child in opened["children"]] == ["li", "li"]
    assert opened["children"][0]["children"] == []
    assert tab.get(f"{address}/{listed['id']}", offset=1)["children"] == opened["children"][1:]
    assert len(ancestors) == listed["depth"] - root["depth"]


def test_a_node_knows_its_pages_and_blocks(tab: Tab) -> None:
    tab.send(*((f"{number}.html", story(number)) for number in range(6)))
    address = f"/api/sites/{site_of(tab)}/tree"
    main = find(tab.get(address)["root"], "main")
    told = tab.get(f"{address}/{main['id']}/blocks")
    assert told["pages_total"] == 6
    assert [page["name"] for page in told["pages"]] == [f"{number}.html" for number in range(6)]
    texts = [block["text"] for block in told["pages"][2]["blocks"]]
    assert texts[0] == "Story number 2"
    assert len(texts) == 3
    page = told["pages"][2]
    detail = tab.get(f"/api/pages/{page['page']}/blocks/{page['blocks'][1]['index']}")
    assert detail["text"].startswith(texts[1][:100])


def test_ids_stay_when_a_site_is_learnt_again(tab: Tab) -> None:
    tab.send(*((f"{number}.html", story(number)) for number in range(5)))
    address = f"/api/sites/{site_of(tab)}/tree"
    before = find(tab.get(address)["root"], "main")["id"]
    tab.send(("new.html", story(50)))
    root = tab.get(address)["root"]
    assert root["pages"] == 6
    assert find(root, "main")["id"] == before


def test_the_tree_of_a_style_tree_has_its_threshold(tab: Tab) -> None:
    tab.send(*((f"{number}.html", story(number)) for number in range(5)))
    site = site_of(tab)
    tab.put(f"/api/sites/{site}/settings", {"method": "style-tree", "threshold": 0.99})
    tab.eliminate()
    tree = tab.get(f"/api/sites/{site}/tree")
    assert tree["threshold"] == 0.99
    assert find(tree["root"], "div.notice")["mark"] == "noisy"
    tab.put(f"/api/sites/{site}/settings", {"threshold": None})
    assert tab.get(f"/api/sites/{site}/tree")["threshold"] < 0.2


def test_blocks_lead_to_their_node(cleaned_sample: Tab) -> None:
    page = cleaned_sample.workspace()["pages"][5]
    address = f"/api/sites/{page['site']}/tree"
    blocks = cleaned_sample.get(f"/api/pages/{page['id']}/blocks")["blocks"]
    shown = [block for block in blocks if not block["hidden"] and block["importance"] is not None][::15]
    assert shown
    for block in shown:
        detail = cleaned_sample.get(f"/api/pages/{page['id']}/blocks/{block['index']}")
        node = cleaned_sample.get(f"{address}/{detail['node']}")
        under = cleaned_sample.get(f"{address}/{detail['node']}/blocks")
        assert node["pages"] == under["pages_total"]
        mine = next(one for one in under["pages"] if one["page"] == page["id"])
        assert block["index"] in [one["index"] for one in mine["blocks"]]


def test_responses_are_bounded(tab: Tab) -> None:
    wide = b"<body>" + b"".join(
        b"<div class=c%s><p>a</p><b>x</b><i>y</i></div>" % bytes([97 + n % 26]) * 2 for n in range(400)
    )
    tab.send(("a.html", wide), ("b.html", wide + b"<p>other"), site="wide")
    root = tab.get(f"/api/sites/{site_of(tab)}/tree")["root"]
    assert root["children_total"] > 100
    assert len(root["children"]) == 100


def test_a_site_with_an_empty_page_has_no_root(tab: Tab) -> None:
    tab.post("/api/learn", {"site": "nothing", "pages": [{"html": ""}]})  # uploads skip empty pages
    tree = tab.get(f"/api/sites/{site_of(tab)}/tree")
    assert tree["root"] is None or tree["root"]["children_total"] == 0
