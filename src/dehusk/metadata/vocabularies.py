"""Names in each vocabulary -> fields of Metadata."""

from __future__ import annotations

from typing import Final


def _by_name(**names: str) -> dict[str, str]:
    """Name -> field, from the names of each field."""
    return {name: field for field, of_field in names.items() for name in of_field.split()}


OPEN_GRAPH: Final = _by_name(
    title="og:title",
    description="og:description",
    site_name="og:site_name",
    url="og:url",
    image="og:image og:image:url og:image:secure_url",
    language="og:locale",
    page_type="og:type",
    modified="og:updated_time article:modified_time article:modified og:article:modified_time",
    authors="og:author article:author article:author_name og:article:author book:author",
    categories="og:section article:section og:article:section",
    published=(
        "article:published_time article:published article:publish_time og:article:published_time book:release_date "
        "video:release_date"
    ),
    tags="article:tag og:article:tag book:tag video:tag",
)

TWITTER: Final = _by_name(
    title="twitter:title",
    description="twitter:description",
    image="twitter:image twitter:image:src",
)
"""`twitter:site` and `twitter:creator` are left out: they name accounts, not sites and people."""

DUBLIN_CORE: Final = _by_name(
    title="dc.title dcterms.title",
    subtitle="dcterms.alternative",
    authors="dc.creator dc.creator.name dcterms.creator",
    published="dc.date.issued dcterms.issued dc.date.created dcterms.created dc.date dcterms.date",
    modified="dc.date.modified dcterms.modified",
    language="dc.language dcterms.language",
    tags="dc.subject dcterms.subject",
    description="dc.description dcterms.description dcterms.abstract",
    site_name="dc.publisher dcterms.publisher",
    licence="dc.rights dcterms.rights dcterms.license",
)
_DUBLIN_CORE_WITH_COLONS: Final = {name.replace(".", ":", 1): field for name, field in DUBLIN_CORE.items()}
"""As some write them."""

META: Final = _by_name(
    title="title headline citation_title parsely-title sailthru.title",
    subtitle="subtitle subheadline",
    authors=(
        "author authors byl byline citation_author parsely-author sailthru.author dcsext.author cxenseparse:author "
        "rbauthors articleauthor article-author blogger_name"
    ),
    published=(
        "citation_publication_date citation_date parsely-pub-date sailthru.date cxenseparse:recs:publishtime "
        "dcsext.articlefirstpublished publish_date publish-date publishdate publication_date publicationdate "
        "published_time pub_date pubdate displaydate originalpublicationdate date.release article.published "
        "article_date_original weibo:article:create_at date"
    ),
    modified=(
        "article.updated lastmod last-modified last_modified revised updated_time dcsext.articlelastmodified "
        "weibo:article:update_at"
    ),
    language="content-language language",
    site_name="application-name apple-mobile-web-app-title citation_journal_title",
    categories="section article.section parsely-section category categories section_name",
    tags="keywords news_keywords citation_keywords parsely-tags sailthru.tags",
    description="description abstract sailthru.description",
    image="thumbnail image parsely-image-url sailthru.image.full",
    licence="license licence",
) | {"weibo: article:create_at": "published", "weibo: article:update_at": "modified"}
"""Names without a prefix, and those of widely used services."""

VOCABULARIES: Final = {
    "opengraph": OPEN_GRAPH,
    "twitter": TWITTER,
    "dublin core": DUBLIN_CORE | _DUBLIN_CORE_WITH_COLONS,
    "meta": META,
}

SCHEMA_ORG: Final = _by_name(
    title="headline name",
    subtitle="alternativeHeadline",
    authors="author creator",
    published="datePublished dateCreated uploadDate datePosted",
    modified="dateModified",
    language="inLanguage",
    site_name="publisher sourceOrganization",
    url="url mainEntityOfPage",
    categories="articleSection category recipeCategory genre",
    tags="keywords",
    description="description abstract",
    image="image thumbnailUrl primaryImageOfPage",
    licence="license",
)
"""Properties of the thing a page is about; of several for one field, the first with a value counts."""

ARTICLE, THING, WEB_PAGE = range(3)
"""Priorities: the article of a page, another thing it is about, the web page itself."""

SCHEMA_TYPES: Final = {
    **dict.fromkeys("techarticle apireference".split(), (ARTICLE, "documentation")),
    **dict.fromkeys("discussionforumposting socialmediaposting".split(), (ARTICLE, "forum")),
    **dict.fromkeys("blogposting liveblogposting report".split(), (ARTICLE, "article")),
    **dict.fromkeys("product productgroup individualproduct productmodel vehicle car".split(), (THING, "product")),
    **dict.fromkeys("question".split(), (THING, "forum")),
    **dict.fromkeys("recipe howto".split(), (THING, "article")),
    **dict.fromkeys(
        "event book movie course jobposting softwareapplication mobileapplication webapplication dataset creativework "
        "podcastepisode musicalbum musicrecording tvepisode singlefamilyresidence apartment".split(),
        (THING, ""),
    ),
    "qapage": (WEB_PAGE, "forum"),
    "itempage": (WEB_PAGE, "product"),
    **dict.fromkeys(
        "webpage aboutpage collectionpage contactpage faqpage profilepage medicalwebpage imagegallery "
        "videogallery".split(),
        (WEB_PAGE, ""),
    ),
}
"""Type in lower case -> (priority, page type). Types that end in `article` are articles."""

OPEN_GRAPH_TYPES: Final = _by_name(article="article", product="product og:product product.item")
"""`website`, the most frequent type, is left out: it says nothing about the page."""
