# ruff: noqa: E501 - markup as tools write it
"""Images and embedded media, in markup as the web's tools write it."""

from __future__ import annotations

import re

import pytest
from keep_visible import Clean, Render

from dehusk import OutputOptions

_EVERYTHING = OutputOptions(links=True, images=True)
_SITE = "https://site.example"
_SIZED = "/cdn/w_{0},c_limit/x.png"


def between(inside: str) -> str:
    """A page with something between two paragraphs."""
    return f"<article><p>Above.</p>{inside}<p>Below.</p></article>"


def lines_between(markdown: str) -> list[str]:
    """What stands between the paragraphs of such a page."""
    above, *lines, below = [line for line in markdown.splitlines() if line]
    assert (above, below) == ("Above.", "Below.")
    return lines


@pytest.mark.parametrize(
    ("html", "address"),
    [
        pytest.param("<img src=/a.jpg>", "/a.jpg", id="src"),
        pytest.param("<img src=/s.jpg srcset='/a.jpg 300w, /b.jpg 1024w, /c.jpg 768w'>", "/b.jpg", id="WordPress"),
        pytest.param("<img src=/s.jpg srcset='/a.jpg 1x, /b.jpg 2x'>", "/b.jpg", id="density"),
        pytest.param(
            "<img src='/a.png?width=1280&s=1' srcset='/a.png?width=320&s=2 320w, /a.png?width=640&s=3 640w'>",
            "/a.png?width=1280&s=1",
            id="Reddit",
        ),
        pytest.param(
            """<a class="tgme_widget_message_photo_wrap x" style="width:800px;background-image:url('/a.jpg')">"""
            "<div class=tgme_widget_message_photo style='padding-top:56%'></div></a>",
            "/a.jpg",
            id="Telegram",
        ),
        pytest.param(
            f"<picture><source type=image/webp srcset='{_SIZED.format(424)} 424w, {_SIZED.format(1456)} 1456w'>"
            "<img src=/s.png width=1456 height=816></picture>",
            _SIZED.format(1456),
            id="Substack",
        ),
        pytest.param(
            "<div><img src=/index-transparent_h-3_w-4.gif alt=a><noscript><img src=/a.jpg alt=a></noscript></div>",
            "/a.jpg",
            id="ARD",
        ),
        pytest.param("<picture><source srcset=/a.webp><img src=/a.jpg></picture>", "/a.jpg", id="picture"),
        pytest.param("<picture><source srcset=/a.webp><img alt=x></picture>", "/a.webp", id="picture without src"),
        pytest.param(
            "<picture><source media='(max-width: 600px)' srcset='/m.jpg 9000w'><img src=/a.jpg></picture>",
            "/a.jpg",
            id="picture for telephones",
        ),
        pytest.param("<img src=data:image/gif;base64,R0 data-src=/a.jpg>", "/a.jpg", id="lazysizes"),
        pytest.param("<img src=/low.jpg data-src=/a.jpg>", "/a.jpg", id="blurred preview"),
        pytest.param("<img data-lazy-src=/a.jpg src=data:,>", "/a.jpg", id="WP Rocket"),
        pytest.param("<img data-lazy-srcset='/a.jpg 9w, /b.jpg 99w' src=data:,>", "/b.jpg", id="data-lazy-srcset"),
        pytest.param("<img data-original=/a.jpg src=/img/grey.gif>", "/a.jpg", id="jQuery Lazy Load"),
        pytest.param("<img data-actualsrc=/a.jpg src=data:,>", "/a.jpg", id="Zhihu"),
        pytest.param("<img data-orig-file=/a.jpg src=/blank.gif>", "/a.jpg", id="Jetpack"),
        pytest.param("<img data-image=/a.jpg>", "/a.jpg", id="Squarespace"),
        pytest.param("<img data-cfsrc=/a.jpg src=data:,>", "/a.jpg", id="Cloudflare"),
        pytest.param("<img data-any-tool-src=/a.jpg src=data:,>", "/a.jpg", id="any name"),
        pytest.param("<img ta-srcset='/a.jpg 300w, /b.jpg 1000w' src=data:,>", "/b.jpg", id="any name of a list"),
        pytest.param("<img data-pagespeed-lazy-src=/a.jpg src=/blank.gif>", "/a.jpg", id="PageSpeed"),
        pytest.param("<img data-delayed-url=/a.jpg src=data:,>", "/a.jpg", id="LinkedIn"),
        pytest.param("<img data-lazyload=/a.jpg src=data:,>", "/a.jpg", id="Slider Revolution"),
        pytest.param(
            "<img nitro-lazy-srcset='/s.jpg 300w, /a.jpg 900w' nitro-lazy-src=/s.jpg src=data:,>",
            "/a.jpg",
            id="NitroPack",
        ),
        pytest.param("<img class=lazyload src=data:, data-orig-src=/a.jpg>", "/a.jpg", id="Avada"),
        pytest.param("<img data-src-mini=/s.jpg data-src-large=/a.jpg src=data:,>", "/a.jpg", id="CNN"),
        pytest.param("<img data-wpfc-original-src=/a.jpg src=/blank.gif>", "/a.jpg", id="WP Fastest Cache"),
        pytest.param("<img data-flickity-lazyload=/a.jpg>", "/a.jpg", id="Flickity"),
        pytest.param("<img data-splide-lazy=/a.jpg>", "/a.jpg", id="Splide"),
        pytest.param("<img data-ezsrc=/a.jpg src=data:,>", "/a.jpg", id="Ezoic"),
        pytest.param("<img data-opt-src=/a.jpg src=data:,>", "/a.jpg", id="Optimole"),
        pytest.param("<img ix-src=/a.jpg>", "/a.jpg", id="Imgix"),
        pytest.param("<img zoomfile=/a.jpg src=/static/image/common/none.gif>", "/a.jpg", id="Discuz!"),
        pytest.param("<img data-breeze=/a.jpg src=data:,>", "/a.jpg", id="Breeze"),
        pytest.param("<img data-nectar-img-src=/a.jpg src=data:,>", "/a.jpg", id="Salient"),
        pytest.param("<img data-url=/a.jpg src=/blank.gif>", "/a.jpg", id="Tribune"),
        pytest.param("<img data-pin-media=/a.jpg src=''>", "/a.jpg", id="Wix"),
        pytest.param(
            "<img class=lazyload data-src='/files/a_{width}x.jpg?v=1' data-widths='[180, 360]'>",
            "/files/a.jpg?v=1",
            id="Shopify",
        ),
        pytest.param("<img src=/a.jpg data-src='/{width}/a.jpg'>", "/a.jpg", id="sizes that a script fills in"),
        pytest.param(
            """<img src=/e151e5.gif data-src='{"default":{"load":"default","w":"73","src":"/a.img?h=4"}}'>""",
            "/a.img?h=4",
            id="MSN",
        ),
        pytest.param(
            "<div role=img aria-label=A style='background-image: url(&quot;/a.jpg&quot;)'></div>",
            "/a.jpg",
            id="background with a role",
        ),
        pytest.param(
            "<figure><div style='background:url(/a.jpg) center'></div></figure>", "/a.jpg", id="background of a figure"
        ),
        pytest.param(
            "<figure><img class='progressiveMedia-thumbnail' src=/max/60/a.jpg><canvas></canvas>"
            "<img class=progressiveMedia-image data-src=/max/1600/a.jpg></figure>",
            "/max/1600/a.jpg",
            id="Medium, until 2019",
        ),
        pytest.param(
            "<img width=0 height=0 data-nimg=1 style='color:transparent;width:100%;height:auto' src=/a.jpg>",
            "/a.jpg",
            id="Next.js, as wide as its column",
        ),
        pytest.param("<img src=data:,><noscript><img src=/a.jpg></noscript>", "/a.jpg", id="twin without script"),
        pytest.param("<img data-src=/a.jpg><noscript><img src=/b.jpg></noscript>", "/a.jpg", id="twin counts once"),
        pytest.param("<noscript><img src=/b.jpg></noscript><img src=/a.jpg>", "/a.jpg", id="twin before"),
        pytest.param("<div><noscript><img src=/a.jpg></noscript></div>", "/a.jpg", id="only without script"),
        pytest.param(
            "<amp-img src=/a.jpg width=16 height=9 layout=responsive><noscript><img src=/a.jpg></noscript></amp-img>",
            "/a.jpg",
            id="AMP",
        ),
        pytest.param("<img class=wide src=/a.jpg><img class=narrow src=/a.jpg>", "/a.jpg", id="two screens"),
        pytest.param("<img src=/w*300/a(1).jpg?b=*>", "/w*300/a(1).jpg?b=*", id="signs in the address"),
        pytest.param("<img src='/a (1.jpg'>", "/a%20%281.jpg", id="parenthesis without a partner"),
        pytest.param("<img src=/a.jpg width=16 height=9>", "/a.jpg", id="size that is a shape"),
    ],
)
def test_the_best_address(markdown: Render, html: str, address: str) -> None:
    (line,) = lines_between(markdown(between(html), _EVERYTHING))
    assert line.partition("](")[2] == f"{_SITE}{address})"


@pytest.mark.parametrize(
    "html",
    [
        "<img src=/p.gif width=1 height=1>",
        "<img src=/p.gif width=1>",
        "<img src=/p.gif style='width:1px; height: 1px'>",
        "<img src=/like.png width=24 height=24>",
        "<img src=/spacer.gif>",
        "<img src=data:image/png;base64,R0>",
        "<img class='user-avatar' src=/me.jpg>",
        "<img src=https://secure.gravatar.com/avatar/12>",
        "<img alt='Avatar of nora' src=/me.jpg>",
        "<img src=https://www.facebook.com/tr?id=1>",
        "<div class='share-buttons'><a href=/x><img src=/x.png></a></div>",
        "<div class=ad><a href=/x><img src=/x.png></a></div>",
        "<noscript><img height=1 width=1 src=/p.gif></noscript>",
        "<img hidden src=/a.jpg>",
        "<template><img src=/a.jpg></template>",
        "<img src=/copy/index.html>",
        "<img src=/i/site_logo.svg alt=''>",
        "<img src=/i/arrow-right.svg>",
        "<img src=/i/big_icon.png alt=big_icon>",
        "<img src=/nora.png alt='Nora profile picture'>",
        "<div class=review-stars><img src=/five.png></div>",
        "<img src=/i/step_icon2.png>",
        "<img src=/i/shop-logo.svg alt='The shop'>",
        "<img src=/logos/mill.png alt=Mill>",
        "<a href=/mill><img src=/mill.svg alt=Mill class='h-6 md:h-7'></a>",
        "<img src=/award.png class=Post-awardIcon>",
        "<img src=/nora.jpg class='w-12 h-12 rounded-full'>",
        "<section class=footer-top><img src=/mill.png></section>",
        "<a href=/print><img src=https://cdn.printfriendly.com/both.gif alt='Print Friendly'></a>",
        "<a href=#post7><img src=/images/buttons/viewpost.gif alt='View Post'></a>",
        "<div><img src=/feature-icons/os.svg alt='Powered by tea'></div>",
        "<button><img src=/a.jpg></button>",
        "<img src=/a.gif width=600 height=10>",
        "<a href=/home><img src=/home.gif alt='[HOME]' width=96 height=15></a>",
        "<a href=/x><img src=/x.gif width=88 height=31></a>",
        "<img src=/s.gif>",
        "<img src=/clan_nav_home.gif>",
        "<a href=/x><img src=https://ads.example/image.ng/Creative=Banner></a>",
        "<a href=/x><img src=/ads/2005/336x280.gif></a>",
        "<img class=authorline__img src=/nora.jpg alt=Nora>",
        "<img src=/tenant/1.img?h=50&w=50 alt=Agency>",
        "<img src=/images/smilies/smile.gif alt=''>",
        "<img src=/images/smilies/wink.gif alt='emoticon-wink'>",
        "<div style='background-image:url(/a.jpg)'></div>",
        "<img src='https://www.google.com/s2/favicons?sz=128&domain=a.example' alt='a.example'>",
        "<a href=/nora><img src=https://pbs.twimg.com/profile_images/1/a_bigger.jpg></a>",
    ],
)
def test_what_is_no_picture(markdown: Render, html_output: Render, html: str) -> None:
    assert lines_between(markdown(between(html), _EVERYTHING)) == []
    assert "<img" not in html_output(between(html))


def test_figures_keep_images_and_captions(markdown: Render, html_output: Render) -> None:
    html = between("".join(f"<figure><img src=/{name}.jpg><figcaption>C{name}</figcaption></figure>" for name in "ab"))
    expected = [f"![]({_SITE}/a.jpg)", "Ca", f"![]({_SITE}/b.jpg)", "Cb"]
    assert lines_between(markdown(html, _EVERYTHING)) == expected
    assert html_output(html).count("<figcaption>") == 2


def test_a_picture_that_a_link_or_a_button_shows_in_large(markdown: Render) -> None:
    link = "<a href='/a.jpg?w=1500'><picture><source><img alt=A></picture><img class=zoom src=data:,></a>"
    assert lines_between(markdown(between(link), _EVERYTHING)) == [
        f"[![A]({_SITE}/a.jpg?w=1500)]({_SITE}/a.jpg?w=1500)"
    ]
    button = "<button aria-haspopup=dialog aria-label='View image'><img src=/a.jpg></button>"
    assert lines_between(markdown(between(button), _EVERYTHING)) == [f"![]({_SITE}/a.jpg)"]
    assert lines_between(markdown(between("<a href=/page><img alt=A></a>"), _EVERYTHING)) == []


def test_a_figure_stays_when_its_caption_is_dropped(markdown: Render, html_output: Render) -> None:
    html = between("<figure><img src=/a.jpg><figcaption>Photo: N. Wrack</figcaption></figure>")
    (line,) = lines_between(markdown(html, _EVERYTHING, drop="Photo: N. Wrack"))
    assert line == f"![Photo: N. Wrack]({_SITE}/a.jpg)"
    assert f'<img src="{_SITE}/a.jpg" alt="Photo: N. Wrack">' in html_output(html, drop="Photo: N. Wrack")


def test_a_dropped_caption_comes_with_its_image_beside_the_alternative_text(markdown: Render, text: Render) -> None:
    html = between("<figure><img src=/a.jpg alt='A mill'><figcaption>Photo: N. Wrack</figcaption></figure>")
    image, caption = lines_between(markdown(html, _EVERYTHING, drop="Photo: N. Wrack"))
    assert (image, caption) == (f"![A mill]({_SITE}/a.jpg)", "Photo: N. Wrack")
    assert "Photo" not in text(html, drop="Photo: N. Wrack")


def test_a_dropped_caption_of_several_images_comes_once_and_repeats_no_alternative_text(markdown: Render) -> None:
    images = "".join(f"<img src=/{name}.jpg alt={name}>" for name in "ab")
    html = between(f"<figure>{images}<figcaption>Mills</figcaption></figure>")
    assert markdown(html, _EVERYTHING, drop="Mills").count("Mills") == 1
    html = between("<figure><img src=/a.jpg alt=Mills><figcaption>Mills</figcaption></figure>")
    assert markdown(html, _EVERYTHING, drop="Mills").count("Mills") == 1


@pytest.mark.parametrize(
    ("html", "is_kept"),
    [
        ("<article><img src=/a.jpg><h1>T</h1><p>Text.</p></article>", True),
        ("<article><h1>T</h1><p>Text.</p><figure><img src=/a.jpg></figure></article>", True),
        ("<main><figure><img src=/a.jpg></figure><article><p>Text.</p></article></main><p>No.</p>", True),
        ("<article><h1>T</h1><p>No.</p><img src=/a.jpg><p>Text.</p></article>", True),
        ("<div><a href=/><img src=/a.jpg></a></div><article><h1>T</h1><p>Text.</p></article>", False),
        ("<article><p>Text.</p></article><div><img src=/a.jpg></div>", False),
        ("<article><p>Text.</p><div><img src=/a.jpg><p>No.</p></div><p>More.</p></article>", False),
        ("<article><p>Text.</p></article><ul><li><img src=/a.jpg>No.</li></ul>", False),
    ],
)
def test_images_stand_where_text_is_kept(markdown: Render, html: str, is_kept: bool) -> None:
    assert ("a.jpg" in markdown(html, _EVERYTHING, drop="No.")) == is_kept


@pytest.mark.parametrize(
    "html",
    [
        "<div class=lightbox-wrapper><a href=/b.jpg><img src=/a.jpg><span>No.</span></a></div>",
        "<div class=card><div><span class=badge>No.</span><img src=/a.jpg></div></div>",
        "<div class=wp-caption><img src=/a.jpg><p class=wp-caption-text>No.</p></div>",
        "<figure><figure><img src=/a.jpg></figure><figure><img src=/b.jpg><figcaption>No.</figcaption></figure></figure>",
    ],
)
def test_few_dropped_words_beside_an_image_say_nothing_of_it(markdown: Render, html: str) -> None:
    assert "/a.jpg" in markdown(between(html), _EVERYTHING, drop="No.")


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        pytest.param("<img src=/a.dark.png><img src=/a.png>", ["/a.png"], id="React"),
        pytest.param(
            "<div><img class='hidden dark:block' src=/b.svg></div><div><img class=dark:hidden src=/a.svg></div>",
            ["/a.svg"],
            id="Tailwind",
        ),
        pytest.param(
            "<p><img src=/a.png#gh-light-mode-only><img src=/b.png#gh-dark-mode-only></p>",
            ["/a.png#gh-light-mode-only"],
            id="GitHub",
        ),
        pytest.param("<img src=/a-mobile.png><img src=/a-tablet.png><img src=/a.png>", ["/a.png"], id="screens"),
        pytest.param("<a href=/p><img src=/a.png> <img class=hover src=/b.png></a>", ["/a.png"], id="hover"),
        pytest.param(
            "<a href=/p><img src=/grey-placeholder.png><img src=/b.png></a>", ["/b.png"], id="placeholder before it"
        ),
        pytest.param("<img src=/a-1.png><img src=/a-2.png>", ["/a-1.png", "/a-2.png"], id="a series"),
        pytest.param("<img src=/a-dark.png><img src=/b-light.png>", ["/a-dark.png", "/b-light.png"], id="two pictures"),
    ],
)
def test_one_picture_of_twins(markdown: Render, html: str, shown: list[str]) -> None:
    lines = lines_between(markdown(between(html), OutputOptions(images=True, links=False)))
    assert lines == [f"![]({_SITE}{address})" for address in shown]


_CAPTION = "Two people on a bridge, in the rain of last winter. Photo: Nora"


@pytest.mark.parametrize(
    ("html", "is_kept"),
    [
        (f"<div class=media><div><img src=/a.jpg></div><div class=info>{_CAPTION}</div></div>", True),
        (f"<ul><li><a href=#><img src=/a.jpg></a><div><p>{_CAPTION}</p></div></ul>", True),
        (f"<div><img src=/a.jpg><div><a href=/x>{_CAPTION}</a></div></div>", False),
        (f"<div><img src=/a.jpg><h3>{_CAPTION}</h3></div>", False),
        (f"<div><img src=/a.jpg width=60 height=60><div>{_CAPTION}</div></div>", False),
        (f"<div class=author><img src=/a.jpg><div>{_CAPTION}</div></div>", False),
    ],
    ids=["broadcasters", "slides", "teaser", "teaser with a heading", "portrait", "author"],
)
def test_a_dropped_caption_that_is_not_marked_up(markdown: Render, html: str, is_kept: bool) -> None:
    page = f"<article><p>{'Text. ' * 20}</p>{html}<p>{'More. ' * 20}</p></article>"
    assert ("/a.jpg" in markdown(page, _EVERYTHING, drop=_CAPTION)) == is_kept


def test_the_picture_of_an_item_leads_where_its_name_does(markdown: Render) -> None:
    rated = "<div><p>Rated five of five by all who have ever bought one, and more words on this.</p></div>"
    html = f"<li><a href=/tea><img src=/tea.jpg></a>{rated}<div><a href=/tea>Green tea</a></div>"
    other = f"<li><a href=/sale><img src=/sale.jpg></a>{rated}<div><a href=/mug>Mug</a></div>"
    text = markdown(f"<ul>{html}{other}</ul>", _EVERYTHING, drop=rated[8:-10])
    assert "/tea.jpg" in text
    assert "/sale.jpg" not in text


@pytest.mark.parametrize(
    ("image", "is_kept"),
    [
        ("<div><img src=/a.jpg></div>", True),
        ("<a href=/><img src=/a.jpg></a>", False),
        ("<div><img src=/a.jpg><img src=/b.jpg></div>", False),
        ("<div><img src=/a.jpg width=60></div>", False),
        ("<div><img src=/site-banner.jpg></div>", False),
    ],
    ids=["the picture", "a link home", "several", "small", "the site's"],
)
def test_the_picture_above_the_title(markdown: Render, image: str, is_kept: bool) -> None:
    top = f"<div>{image}<h1>All about tea</h1><div>By Nora</div></div>"
    html = f"<main>{top}<div><p>{'Hot water. ' * 40}</p></div></main>"
    assert (".jpg" in markdown(html, _EVERYTHING, drop="By Nora")) == is_kept


def test_the_gallery_beside_the_name_of_a_product(markdown: Render) -> None:
    gallery = "<div class='woocommerce-product-gallery__wrapper slider-nav'><a href=/l.jpg><img src=/a.jpg></a></div>"
    facts = "<div>No. 5, all sorts of things in the shop, delivered on Monday</div>"
    html = (
        f"<main><div><div>{gallery}</div><div><h1>Mug</h1>{facts}</div></div><div><p>{'Blue. ' * 50}</p></div></main>"
    )
    assert "/a.jpg" in markdown(html, _EVERYTHING, drop=facts[5:-6])
    assert "/a.jpg" not in markdown(
        html.replace("woocommerce-product-gallery__wrapper", ""), _EVERYTHING, drop=facts[5:-6]
    )


@pytest.mark.parametrize(
    ("name", "is_kept"),
    [
        ("single-product-slider", True),
        ("ProductGallery_root__x1", True),
        ("product-images", True),
        ("related-product-slider", False),
        ("product-card-images", False),
        ("slider", False),
    ],
)
def test_the_pictures_of_a_product_by_their_name(markdown: Render, name: str, is_kept: bool) -> None:
    slides = "".join(f"<div data-image=/{number}.jpg><img src=/{number}.jpg></div>" for number in range(2))
    facts = "<div>No. 5, all sorts of things in the shop, delivered on Monday</div>"
    gallery = f"<div><div class={name}>{slides}</div></div>"
    html = f"<main><div>{gallery}<div><h1>Mug</h1>{facts}</div></div><div><p>{'Blue. ' * 50}</p></div></main>"
    assert markdown(html, _EVERYTHING, drop=facts[5:-6]).count("![") == (2 if is_kept else 0)


_FACTS = "No. 5, all sorts of things in the shop, delivered on Monday"


def product(head: str, pictures: str) -> str:
    """A page of a product whose pictures stand in a column of its own, beside dropped facts."""
    beside = f"<div><h1>Mug of blue clay, 30 cl</h1><div>{_FACTS}</div></div>"
    return f"{head}<main><div><div>{pictures}</div>{beside}</div><div><p>{'Blue. ' * 50}</p></div></main>"


_PRESTASHOP = "<div id=js-cover class='c-snap js-slider'>" + "".join(
    f"<div class=c-snap__item><div class=rc><img src=/{number}-medium_default/1600-mug.jpg></div></div>"
    for number in (2701, 2702, 2703)
)
_EBAY = "".join(
    f"<div class='ux-image-carousel-item image'><img alt='Picture {number} of 3' src=/images/g/x{number}AAOSw/s-l500.jpg></div>"
    for number in range(1, 4)
)
_TWO_SLIDES = (
    "<div class=track><div class=slide><img src=/a.jpg alt='{0}'></div><div class={1}><img src=/b.jpg></div></div>"
)


@pytest.mark.parametrize(
    ("html", "pictures"),
    [
        pytest.param(
            product("<meta property=og:image content=/2702-thickbox_default/1600-mug.jpg>", f"{_PRESTASHOP}</div>"),
            [f"/{number}-medium_default/1600-mug.jpg" for number in (2701, 2702, 2703)],
            id="PrestaShop",
        ),
        pytest.param(
            product(
                "<meta name=twitter:image content=/images/g/x1AAOSw/s-l400.jpg>",
                f"<div class='left-river left-river--share'><div class=ux-image-carousel>{_EBAY}</div><p>1 of 3</p></div>",
            ),
            [f"/images/g/x{number}AAOSw/s-l500.jpg" for number in range(1, 4)],
            id="eBay",
        ),
        pytest.param(
            product("", _TWO_SLIDES.format("Mug of blue clay, 30 cl - front", "slide")),
            ["/a.jpg", "/b.jpg"],
            id="title",
        ),
        pytest.param(product("", _TWO_SLIDES.format("A mug", "slide")), [], id="another title"),
        pytest.param(
            product("", _TWO_SLIDES.format("Mug of blue clay, 30 cl", "other")),
            ["/a.jpg"],
            id="another kind of element",
        ),
        pytest.param(
            product(
                "",
                "<div class=productView-thumbnails>"
                + "".join(
                    f"<div class=productView-thumbnail><img src=/{name}.jpg alt='Mug of blue clay, 30 cl'></div>"
                    for name in "abc"
                )
                + "</div>",
            ),
            [],
            id="to choose by",
        ),
        pytest.param(
            product(
                "<meta property=og:image content=/bluemug.jpg>",
                "<div><button><img src=/s/bluemug.jpg></button></div><div><img src=/l/bluemug.jpg></div>",
            ),
            ["/l/bluemug.jpg"],
            id="small copy in a button",
        ),
        pytest.param(
            product("<meta property=og:image content=/bluemug.jpg>", "<button><img src=/l/bluemug.jpg></button>"),
            ["/l/bluemug.jpg"],
            id="a button to see more",
        ),
    ],
)
def test_the_pictures_of_a_product_beside_its_own(markdown: Render, html: str, pictures: list[str]) -> None:
    found = re.findall(r"!\[.*?\]\((.*?)\)", markdown(html, _EVERYTHING, drop=_FACTS))
    assert found == [f"{_SITE}{address}" for address in pictures]


@pytest.mark.parametrize(
    ("image", "is_kept"),
    [
        ("<aside class=single-photo><img src=/windmill.jpg></aside>", True),
        ("<aside class=sidebar><img src=/windmill.jpg></aside>", False),
        ("<aside><img src=/windmill.jpg><img src=/b.jpg><img src=/c.jpg></aside>", False),
        ("<div><img src=/banner-windmill.jpg></div>", False),
        ("<div class=hero><img src=/mill.jpg role=presentation alt=''></div>", False),
        ("<div class=hero><img src=/mill.jpg role=presentation alt='A mill'></div>", True),
    ],
)
def test_frames_of_the_own_picture(markdown: Render, image: str, is_kept: bool) -> None:
    head = "<meta property=og:image content=/windmill.jpg>"
    page = (
        f"{head}<main><h1>Tea</h1><div>{image}<p>{_BYLINE}</p></div><p>{'Hot water. ' * 4}</p><p>{_BYLINE}</p></main>"
    )
    assert ("![" in markdown(page, _EVERYTHING, drop=_BYLINE)) == is_kept


def test_the_own_picture_may_be_a_banner(markdown: Render) -> None:
    head = "<meta property=og:image content=/Blog-banner-2.png>"
    page = f"<main><div><div class=top><img src=/Blog-banner-2.png></div><p>{_BYLINE}</p><h1>Tea</h1></div><p>{'Hot. ' * 9}</p></main>"
    assert "![" in markdown(head + page, _EVERYTHING, drop=_BYLINE)
    assert "![" not in markdown(page, _EVERYTHING, drop=_BYLINE)


@pytest.mark.parametrize(
    "image",
    [
        "<img src='(555) 534-9151'>",
        "<img src=undefined>",
        "<img src=#>",
        "<img src='{{image}}'>",
        "<img src=/img/missing-image.png>",
        "<img src=/media/no-image.jpg>",
        "<img src=/color/5.jpg?size=40>",
        "<img src=/wiki/66px-Basketball_event.svg.png width=33 height=33>",
    ],
)
def test_images_that_show_nothing(markdown: Render, image: str) -> None:
    assert lines_between(markdown(between(f"<p>{image}</p>"), _EVERYTHING)) == []


def test_small_pictures_to_press_are_no_gallery(markdown: Render) -> None:
    html = gallery("class=gallery", "#{0}")
    assert "![" not in markdown(html.replace("<img", "<img width=68 height=51"), _EVERYTHING, drop=_BYLINE)


def test_images_around_a_table_are_not_in_its_cells(markdown: Render) -> None:
    table = "<table><tr><th>a<th>b<tr><td>1<td>2</table>"
    lines = lines_between(markdown(between(f"<img src=/a.jpg>{table}<img src=/b.jpg>{table}"), _EVERYTHING))
    assert [line[:12] for line in lines] == ["![](https://", "| a | b |", "| --- | --- ", "| 1 | 2 |"] * 2


def test_emoji_are_characters(markdown: Render) -> None:
    html = between("<p>Well <img class='emoji' alt='\N{PARTY POPPER}' src=/1f389.svg> done</p>")
    assert lines_between(markdown(html, _EVERYTHING)) == ["Well \N{PARTY POPPER} done"]


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("Well done @", "Well done \N{PARTY POPPER}"),
        ("@ Well done", "\N{PARTY POPPER} Well done"),
        ("<b>W</b> @", "**W** \N{PARTY POPPER}"),
    ],
)
def test_emoji_at_the_edge_of_a_paragraph_stay_in_it(markdown: Render, inside: str, expected: str) -> None:
    image = "<img class='emoji' alt='\N{PARTY POPPER}' src=/1f389.svg>"
    assert lines_between(markdown(between(f"<p>{inside.replace('@', image)}</p>"), _EVERYTHING)) == [expected]


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        ("<img class=smilies src=./images/smilies/e_smile.gif width=15 height=17 alt=':)'>", "Well :) done"),
        ("<img class='smilie smilie--sprite' src=data:, alt=':)'>", "Well :) done"),
        ("<img src=/uploads/emoticons/wink.png alt=';)'>", "Well ;) done"),
        (
            "<img class='Emoji Emoji--forText' src=/72x72/1f389.png alt='\N{PARTY POPPER}'>",
            "Well \N{PARTY POPPER} done",
        ),
        ("<img width=16 height=16 src=/emoji.php/1f389.png alt='\N{PARTY POPPER}'>", "Well \N{PARTY POPPER} done"),
    ],
    ids=["phpBB", "XenForo", "Invision", "Twitter", "Facebook"],
)
def test_smileys_are_characters(markdown: Render, image: str, expected: str) -> None:
    assert lines_between(markdown(between(f"<p>Well {image} done</p>"), _EVERYTHING)) == [expected]


def test_an_initial_that_is_drawn_begins_its_word(markdown: Render) -> None:
    html = between("<p><img src=/icaps/f.gif alt=F width=34 height=42>\nor years.</p>")
    assert lines_between(markdown(html, _EVERYTHING)) == ["For years."]


def test_emoji_alone_stand_by_themselves(markdown: Render) -> None:
    html = between("<p><img class='emoji' alt='\N{PARTY POPPER}' src=/1f389.svg></p>")
    assert lines_between(markdown(html, _EVERYTHING)) == ["\N{PARTY POPPER}"]


@pytest.mark.parametrize(
    ("html", "title", "address"),
    [
        pytest.param(
            "<iframe src='https://www.youtube.com/embed/ab?rel=0' title='A film'></iframe>",
            "A film",
            "https://www.youtube.com/watch?v=ab",
            id="YouTube",
        ),
        pytest.param(
            "<iframe src=about:blank data-src=//www.youtube-nocookie.com/embed/ab></iframe>",
            "YouTube video",
            "https://www.youtube.com/watch?v=ab",
            id="YouTube, later",
        ),
        pytest.param(
            "<lite-youtube videoid=ab playlabel='A film'></lite-youtube>",
            "A film",
            "https://www.youtube.com/watch?v=ab",
            id="lite-youtube",
        ),
        pytest.param(
            "<iframe src=https://player.vimeo.com/video/12></iframe>", "Vimeo video", "https://vimeo.com/12", id="Vimeo"
        ),
        pytest.param("<video src=/v.mp4 poster=/p.jpg></video>", "Video", f"{_SITE}/v.mp4", id="video"),
        pytest.param(
            "<video title='The tide'><source src=/v.webm><source src=/v.mp4>Old browser</video>",
            "The tide",
            f"{_SITE}/v.webm",
            id="video with sources",
        ),
        pytest.param("<audio controls><source src=/a.mp3></audio>", "Audio", f"{_SITE}/a.mp3", id="audio"),
        pytest.param(
            "<script src=https://gist.github.com/me/12.js></script>", "Gist", "https://gist.github.com/me/12", id="gist"
        ),
        pytest.param(
            "<iframe src='https://codepen.io/me/embed/xy?a=b' title='Pen'></iframe>",
            "Pen",
            "https://codepen.io/me/pen/xy",
            id="CodePen",
        ),
        pytest.param(
            "<div class=twitter-tweet><iframe src='https://platform.twitter.com/embed/Tweet.html?id=9'></iframe></div>",
            "Post on X",
            "https://twitter.com/i/status/9",
            id="rendered tweet",
        ),
        pytest.param(
            "<object><param name=movie><embed src=http://www.youtube.com/v/ab></object>",
            "YouTube video",
            "https://www.youtube.com/watch?v=ab",
            id="Flash",
        ),
        pytest.param(
            "<div class=rll-youtube-player data-src=https://www.youtube.com/embed/dQw4w9WgXcQ></div>",
            "YouTube video",
            "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
            id="WP Rocket, video",
        ),
        pytest.param(
            "<div class=youtube data-embed=dQw4w9WgXcQ><div class=play-button></div></div>",
            "YouTube video",
            "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
            id="a video that is loaded by a click",
        ),
        pytest.param(
            "<amp-youtube data-videoid=dQw4w9WgXcQ layout=responsive></amp-youtube>",
            "YouTube video",
            "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
            id="AMP, video",
        ),
        pytest.param(
            "<amp-iframe src=https://player.vimeo.com/video/12></amp-iframe>",
            "Vimeo video",
            "https://vimeo.com/12",
            id="AMP, frame",
        ),
        pytest.param(
            "<amp-twitter data-tweetid=9></amp-twitter>", "Post on X", "https://twitter.com/i/status/9", id="AMP, post"
        ),
        pytest.param(
            "<iframe data-cookieblock-src=https://www.youtube.com/embed/ab></iframe>",
            "YouTube video",
            "https://www.youtube.com/watch?v=ab",
            id="Cookiebot",
        ),
        pytest.param(
            "<iframe src=about:blank data-src-cmplz=https://www.youtube.com/embed/ab></iframe>",
            "YouTube video",
            "https://www.youtube.com/watch?v=ab",
            id="Complianz",
        ),
        pytest.param(
            "<div class=fb-post data-href=https://www.facebook.com/me/posts/1></div>",
            "Facebook post",
            "https://www.facebook.com/me/posts/1",
            id="Facebook",
        ),
        pytest.param(
            "<iframe src=https://social.example/@me/1/embed class=mastodon-embed></iframe>",
            "Post on Mastodon",
            "https://social.example/@me/1",
            id="Mastodon",
        ),
        pytest.param(
            "<iframe src=https://charts.example/1 title='Tides by year'></iframe>",
            "Tides by year",
            "https://charts.example/1",
            id="frame with a title",
        ),
    ],
)
def test_embedded_media_become_links(
    markdown: Render, html_output: Render, tei_output: Render, html: str, title: str, address: str
) -> None:
    assert lines_between(markdown(between(html), _EVERYTHING)) == [f"[{title}]({address})"]
    assert f'<a href="{address}" rel="noopener noreferrer">{title}</a>' in html_output(between(html))
    assert f'<ref target="{address}">{title}</ref>' in tei_output(between(html))


@pytest.mark.parametrize(
    "html",
    [
        "<iframe src=https://ads.example/1 title=Advertisement></iframe>",
        "<iframe src=https://frames.example/1></iframe>",
        "<noscript><iframe src='https://www.googletagmanager.com/ns.html?id=1'></iframe></noscript>",
        "<video src=blob:https://site.example/1></video>",
        "<iframe src='javascript:alert(1)' title=x></iframe>",
        "<script src=https://cdn.example/12.js></script>",
        "<div data-embed=header></div>",
        "<div data-video-id=4093372393001></div>",
        "<div data-src=/lazy/part.html></div>",
        "<button data-href=/shop></button>",
    ],
)
def test_what_is_not_embedded(markdown: Render, html: str) -> None:
    assert lines_between(markdown(between(html), _EVERYTHING)) == []


_TWEET = (
    "<blockquote class=twitter-tweet><p>The sea is big.</p>\N{EM DASH} Nora (@nora) "
    "<a href='https://twitter.com/nora/status/1?ref_src=x'>May 1</a></blockquote>"
)


def test_posts_are_quotes_with_their_source(markdown: Render) -> None:
    assert lines_between(markdown(between(_TWEET), _EVERYTHING)) == [
        "> The sea is big.",
        ">",
        "> \N{EM DASH} Nora (@nora) [May 1](https://twitter.com/nora/status/1?ref_src=x)",
    ]


def test_a_dropped_post_is_a_link(clean: Clean) -> None:
    html = between(
        "<blockquote class=instagram-media data-instgrm-permalink=https://www.instagram.com/p/X/>V</blockquote>"
    )
    lines = lines_between(clean(html, drop="V").render("markdown", _EVERYTHING))
    assert lines == ["> [Instagram post](https://www.instagram.com/p/X/)"]


def test_a_figure_below_the_title_among_names_and_dates(markdown: Render) -> None:
    byline = "By Jane Roe, who reports from the north for all of our readers"
    picture = "<figure><img src=/a.jpg alt=A></figure>"
    html = f"<article><header><h1>Tea</h1><p>{byline}</p>{picture}<p>{byline}</p></header><p>Text.</p></article>"
    assert "/a.jpg" in markdown(html, _EVERYTHING, drop=byline)
    assert "/a.jpg" not in markdown(html.replace("h1>", "p>").replace("Tea", byline), _EVERYTHING, drop=byline)


def test_an_icon_with_a_label_is_no_picture(markdown: Render) -> None:
    steps = "".join(f"<div><div class={{0}}><img src=/{step}.png>{step}</div><p>Do it.</p></div>" for step in (1, 2))
    assert "png" not in markdown(between(steps.format("step-icon")), _EVERYTHING)
    assert markdown(between(steps.format("step-photo")), _EVERYTHING).count("png") == 2


_BYLINE = "By Jane Roe, who reports from the north for all of our readers, on the first of May"
_NAME = "By Jane Roe, on the first of May 2021"
_PICTURE = "<div class=media><img src=/mill.jpg></div>"


@pytest.mark.parametrize(
    ("header", "is_kept"),
    [
        (f"<header>{_PICTURE}<h1>Tea</h1><p>{_NAME}</p></header>", True),
        (f"<header><h1>Tea</h1><p>{_NAME}</p>{_PICTURE}</header>", True),
        (f"<header><div><img src=/mill.jpg>{_NAME}</div><h1>Tea</h1><p>{_NAME}</p></header>", False),
        (f"<header><div class=pageAuthor_image>{_PICTURE}</div><h1>Tea</h1><p>{_NAME}</p></header>", False),
        (f"<header><img src=/mill-150x150.jpg><h1>Tea</h1><p>{_NAME}</p></header>", False),
        (f"<header><a href=/>{_PICTURE}</a><h1>Tea</h1><p>{_NAME}</p></header>", False),
        (f"<header>{_PICTURE}{_PICTURE}<h1>Tea</h1><p>{_NAME}</p></header>", False),
        (f"<div id=masthead>{_PICTURE}<h1>Tea</h1><p>{_NAME}</p></div>", False),
    ],
    ids=["above", "below", "name beside it", "author", "small copy", "link home", "several", "header of the site"],
)
@pytest.mark.parametrize("title", ["Tea", _NAME], ids=["kept title", "dropped title"])
def test_the_picture_in_the_header_of_a_title(markdown: Render, header: str, is_kept: bool, title: str) -> None:
    html = f"<article>{header.replace('Tea', title)}<div><p>{'Hot water. ' * 40}</p></div></article>"
    assert ("/mill" in markdown(html, _EVERYTHING, drop=_NAME)) == is_kept


@pytest.mark.parametrize(
    ("head", "image", "is_kept"),
    [
        ("", "<img src=/windmill.jpg>", False),
        ("<meta property=og:image content=https://cdn.example/windmill-1200x630.jpg>", "<img src=/windmill.jpg>", True),
        ("<meta property=og:image content=https://cdn.example/tower.jpg>", "<img src=/windmill.jpg>", False),
        ("", "<img src=/windmill.jpg class='size-full wp-post-image'>", True),
        ("", "<div class=post-hero><a href=/windmill-large.jpg><img src=/windmill.jpg></a></div>", True),
        ("", "<a href=/other><img src=/windmill.jpg class=wp-post-image></a>", False),
        ("", "<aside><img src=/windmill.jpg class=wp-post-image></aside>", False),
    ],
    ids=["no sign", "named by the page", "another one", "WordPress", "hero", "teaser", "beside"],
)
def test_the_picture_that_a_page_names_as_its_own(markdown: Render, head: str, image: str, is_kept: bool) -> None:
    page = f"<main><div>{image}<p>{_BYLINE}</p></div><div><p>{'Hot water. ' * 4}</p></div><p>{_BYLINE}</p></main>"
    assert ("![](" in markdown(f"{head}{page}", _EVERYTHING, drop=_BYLINE)) == is_kept


def gallery(around: str, link: str, label: str = "", pictures: int = 4) -> str:
    """A page with a gallery below its title, and more dropped than kept text."""
    items = "".join(
        f"<li><a href={link.format(number)}><img src=/{number}.jpg>{label}</a></li>" for number in range(pictures)
    )
    return f"<main><h1>Tea</h1><p>{_BYLINE}</p><div {around}><ul>{items}</ul></div></main>"


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        (gallery("class='gallery gallery-columns-3'", "/{0}-large.jpg"), 4),
        (gallery("class=ngg-galleryoverview", "/{0}.png"), 4),
        (gallery("id=photo-gallery", "/news/gallery/{0}"), 4),
        (gallery("class=slideshow", "#"), 4),
        (gallery("class=gallery", "/shop/{0}"), 0),
        (gallery("class=gallery", "#", _BYLINE), 0),
        (gallery("class=gallery", "/{0}-large.jpg", pictures=2), 0),
        (gallery("class='gallery widget'", "/{0}-large.jpg"), 0),
        (gallery("class=GalleryVote", "/{0}-large.jpg"), 0),
    ],
    ids=["WordPress", "NextGEN", "news", "slideshow", "other pages", "teasers", "two", "widget", "buttons"],
)
def test_galleries_without_text(markdown: Render, html: str, kept: int) -> None:
    assert markdown(html, OutputOptions(images=True, links=False), drop=_BYLINE).count("![](") == kept


def test_slides_that_screen_readers_pass_over(markdown: Render) -> None:
    slide = "<div class='slick-slide {1}' aria-hidden={2}><img src=/{0}.jpg alt=A></div>"
    slides = [
        (3, "slick-cloned", "true"),
        (1, "", "false"),
        (2, "", "true"),
        (3, "", "true"),
        (1, "slick-cloned", "true"),
    ]
    inside = "".join(slide.format(*one) for one in slides)
    html = between(f"<div class=photo-gallery>{inside}</div>")
    shown = [f"![A]({_SITE}/{number}.jpg)" for number in (1, 2, 3)]
    assert lines_between(markdown(html, _EVERYTHING)) == shown
    assert lines_between(markdown(html.replace("photo-gallery", "photos"), _EVERYTHING)) == shown[:1]
    assert lines_between(markdown(html.replace("aria-hidden=true", "hidden"), _EVERYTHING)) == shown[:1]


@pytest.mark.parametrize(
    ("track", "copy"),
    [
        ("swiper-wrapper", "swiper-slide-duplicate"),
        ("owl-stage", "owl-item cloned"),
        ("flexslider", "clone"),
        ("splide__list", "splide__slide--clone"),
    ],
    ids=["Swiper", "Owl Carousel", "FlexSlider", "Splide"],
)
def test_slides_come_once(markdown: Render, track: str, copy: str) -> None:
    slides = [(3, copy), (1, "slide"), (2, "slide"), (3, "slide"), (1, copy)]
    inside = "".join(f"<div class='{name}'><div><img src=/{number}.jpg></div></div>" for number, name in slides)
    shown = [f"![]({_SITE}/{number}.jpg)" for number in (1, 2, 3)]
    assert lines_between(markdown(between(f"<div class={track}>{inside}</div>"), _EVERYTHING)) == shown


def test_a_list_of_pictures_is_no_list(markdown: Render) -> None:
    slides = "<ul><li><img src=/a.jpg></li><li><figure><img src=/b.jpg></figure></li></ul>"
    assert lines_between(markdown(between(slides), _EVERYTHING)) == [f"![]({_SITE}/a.jpg)", f"![]({_SITE}/b.jpg)"]
    with_text = slides.replace("<figure>", "Boats<figure>")
    assert "- Boats" in markdown(between(with_text), _EVERYTHING)


def test_the_picture_of_an_article_by_its_caption(markdown: Render) -> None:
    words = "Another article of ours, on something else than what you read here"
    related = f"<div><a href=/other>{words}</a></div>"
    figure = "<figure><div><img src=/windmill.jpg></div><figcaption>The mill</figcaption></figure>"
    html = f"<main><h1>Tea</h1><div>{figure}{related}</div><div><p>{'Hot water. ' * 80}</p></div></main>"
    assert "/windmill.jpg" in markdown(html, _EVERYTHING, drop=words)
    without = html.replace("<figcaption>The mill</figcaption>", "")
    assert "/windmill.jpg" not in markdown(without, _EVERYTHING, drop=words)
    # Of a title that is dropped, too.
    html = f"<div><h2>{words}</h2><div>{figure}</div><div><p>{'Hot water. ' * 80}</p></div></div>"
    assert "/windmill.jpg" in markdown(html, _EVERYTHING, drop=words)


def test_the_picture_before_a_long_quotation(markdown: Render) -> None:
    html = (
        f"<main><div class=menu><p>{_BYLINE}</p></div><div><center><a href=/mill.png><img src=/mill.png></a></center>"
        f"<p>They write:</p><blockquote><p>{'Hot water. ' * 40}</p></blockquote></div></main>"
    )
    assert "/mill.png" in markdown(html, _EVERYTHING, drop=_BYLINE)


def test_a_picture_that_only_screen_readers_pass_over(markdown: Render) -> None:
    image = "<img aria-hidden=true src=/a.jpg alt='{}'>"
    picture = markdown(between(image.format("An old mill by the river")), _EVERYTHING)
    assert lines_between(picture) == [f"![An old mill by the river]({_SITE}/a.jpg)"]
    assert "/a.jpg" not in markdown(between(image.format("")), _EVERYTHING)
    hidden = f"<div hidden>{image.format('An old mill by the river')}</div>"
    assert "/a.jpg" not in markdown(between(hidden), _EVERYTHING)


@pytest.mark.parametrize(("file", "times", "is_sign"), [("a.svg", 2, True), ("a.png", 4, True), ("a.png", 3, False)])
def test_signs_that_stand_at_several_places(markdown: Render, file: str, times: int, is_sign: bool) -> None:
    html = "".join(f"<p>Trail {number} <img src=/{file} alt=Easy> of the woods.</p>" for number in range(times))
    assert (file in markdown(html, _EVERYTHING)) is not is_sign


def test_photographs_that_pages_repeat_for_other_screens(markdown: Render) -> None:
    html = "".join(f"<p>Trail {number} of the woods.</p><img src=/mill.jpg>" for number in range(6))
    assert "/mill.jpg" in markdown(f"{html}<p>Text.</p>", _EVERYTHING)


def test_a_picture_of_an_article_may_be_called_banner(markdown: Render) -> None:
    name = "how-to-brew-tea-in-an-old-mill-banner.jpg"
    html = f"<div><div><img src=/{name}></div><div><h1>Tea</h1></div></div><div><p>{'Hot water. ' * 80}</p></div>"
    assert name in markdown(html, _EVERYTHING)


@pytest.mark.parametrize(
    "inside", ["<img src=/larger.gif alt='Larger letters'>", "<a href=/author/91><img src=/nora.jpg></a>"]
)
def test_buttons_and_portraits_below_a_title(markdown: Render, inside: str) -> None:
    html = f"<h1>Tea</h1><div>{inside}</div><p>{'Hot water. ' * 80}</p>"
    assert "![" not in markdown(html, _EVERYTHING)


@pytest.mark.parametrize(
    ("alternative", "title"), [("", "YouTube video"), ("How to steep", "How to steep")], ids=["no-name", "named"]
)
def test_pictures_of_videos_become_links(markdown: Render, alternative: str, title: str) -> None:
    picture = f"<img src=https://i.ytimg.com/vi/w7LWPK5vHnM/hqdefault.jpg alt='{alternative}'>"
    assert lines_between(markdown(between(f"<div class=player>{picture}</div>"))) == [
        f"[{title}](https://www.youtube.com/watch?v=w7LWPK5vHnM)"
    ]
    linked = f"<a href=https://site.example/video>{picture}</a>"
    assert "hqdefault.jpg" in markdown(between(linked))


def test_the_sign_of_the_site_on_a_card_is_no_picture(markdown: Render) -> None:
    for sign in ["<img class=c-embed__favicon src=/f.png alt=favicon>", "<img src=https://k.example/f.ico>"]:
        assert "![" not in markdown(f"<p>Above.</p><div>{sign}k.example</div><p>Below.</p>")


@pytest.mark.parametrize("text", ["__wf_reserved_inherit", "enter image description here", "Refer to caption", "null"])
def test_alternative_texts_that_say_nothing_go(markdown: Render, text: str) -> None:
    assert "![](" in markdown(f'<p>Above.</p><img src=/k.png alt="{text}" width=600 height=400><p>Below.</p>')


def test_blurred_copies_of_wix_are_the_file_itself(markdown: Render) -> None:
    copy = "https://static.wixstatic.com/media/k~mv2.jpg/v1/fill/w_147,h_98,al_c,q_80,blur_2,enc_avif/k~mv2.jpg"
    shown = markdown(f'<p>Above.</p><img src="{copy}" alt=Kettle><p>Below.</p>')
    assert "![Kettle](https://static.wixstatic.com/media/k~mv2.jpg)" in shown


def test_the_width_that_an_address_asks_for_counts(markdown: Render) -> None:
    """As the Guardian writes them."""
    address = "https://i.example/k.jpg?width={}&dpr={}"
    picture = (
        f'<picture><source srcset="{address.format(620, 2)}" media="(min-width: 660px)"><source srcset="{address.format(445, 1)}" '
        f'media="(min-width: 480px)"><img alt=Kettle src="{address.format(445, 1)}" width=445 height=267></picture>'
    )
    assert "![Kettle](https://i.example/k.jpg?width=620&dpr=2)" in markdown(f"<p>Above.</p>{picture}<p>Below.</p>")


def test_badges_above_the_description_of_a_program(markdown: Render) -> None:
    badges = '<a href="/ci"><img src="/actions/workflows/ci.yml/badge.svg" alt="CI"></a><img src="https://img.shields.io/a" alt=a>'
    assert markdown(f"<h1>A cache</h1><p>{badges}</p><p>b</p>") == "# A cache\n\nb\n"


def test_pictures_of_wechat(markdown: Render) -> None:
    """The text is hidden until a script has counted it."""
    text = "<p>Above.</p><p><img class=rich_pages data-src=https://mmbiz.qpic.cn/a/640></p><p>Below.</p>"
    html = f"<div id=js_content style='visibility: hidden; opacity: 0; '>{text}</div>"
    assert lines_between(markdown(html)) == ["![](https://mmbiz.qpic.cn/a/640)"]


def picture_addresses(markdown: str) -> list[str]:
    """Addresses of the images of a document, without the site."""
    return [line.split(_SITE)[1].rstrip(")") for line in markdown.splitlines() if "![" in line]


@pytest.mark.parametrize(
    ("first", "second", "shown"),
    [
        pytest.param("/p/mill.jpg?v=1&width=900", "/p/mill.jpg?v=1&width=90", 1, id="Shopify, new"),
        pytest.param("/p/mill_900x900.jpg", "/p/mill_90x90.jpg", 1, id="Shopify, old"),
        pytest.param("/uploads/2020/01/mill-900x900.jpg", "/uploads/2020/01/mill-90x90.jpg", 1, id="WordPress"),
        pytest.param("/900x900/p/20-236-934.jpg", "/90x90/p/20-236-934.jpg", 1, id="folders of sizes"),
        pytest.param("/_next/image?url=%2Fmill.jpg&w=900", "/_next/image?url=%2Fmill.jpg&w=90", 1, id="Next.js"),
        pytest.param("/uploads/2020/01/mill.jpg", "/uploads/2021/01/mill.jpg", 2, id="other month"),
        pytest.param("/71653108/90x90/mill.jpg", "/71653109/90x90/mill.jpg", 2, id="other folder"),
        pytest.param("/show.php?id=1", "/show.php?id=2", 2, id="no file"),
    ],
)
def test_a_picture_comes_once_at_its_place(markdown: Render, first: str, second: str, shown: int) -> None:
    html = between(f"<div><img src='{first}'></div><ul><li><img src='{second}'></ul>")
    assert markdown(html, _EVERYTHING, url=f"{_SITE}/").count("![") == shown
    apart = between(f"<img src='{first}'><p>Amid.</p><img src='{second}'>")
    assert markdown(apart, _EVERYTHING, url=f"{_SITE}/").count("![") == 2


@pytest.mark.parametrize(
    ("html", "is_picture"),
    [
        ("<a href=https://ad.example/x><img src=/a.jpg width=728 height=90></a>", False),
        ("<a href=https://ad.example/x rel=sponsored><img src=/a.jpg width=300 height=250></a>", False),
        ("<img src=/a.jpg alt=Advertisement>", False),
        ("<a href=https://other.example/x><img src=/a.jpg width=300 height=250></a>", True),
        ("<img src=/a.jpg width=300 height=250>", True),
        ("<a href=https://site.example/b.jpg><img src=/a.jpg width=300 height=600></a>", True),
    ],
)
def test_advertisements_are_no_pictures(markdown: Render, html: str, is_picture: bool) -> None:
    assert ("![" in markdown(between(html), _EVERYTHING)) == is_picture


def test_the_picture_of_another_page_on_its_card_is_none(markdown: Render) -> None:
    card = "<div class=kg-bookmark-content>Tea</div><div class=kg-bookmark-thumbnail><img src=/t.jpg></div>"
    html = f"<figure class=kg-bookmark-card><a class=kg-bookmark-container href=/tea>{card}</a></figure>"
    assert lines_between(markdown(between(html), _EVERYTHING, url=f"{_SITE}/")) == [f"[Tea]({_SITE}/tea)"]


def test_the_own_picture_of_a_page_that_nothing_divides(markdown: Render) -> None:
    head = "<meta property=og:image content=https://site.example/mill-1024x576.jpg>"
    crumbs = "<p>Drop the way to this page and all that is said of it beside the title</p>"
    html = f"{head}{crumbs}<h1>Mill</h1><div>@</div><p>Drop whoever wrote it, and the day</p><p>Text of the mill.</p>"
    shown = {
        file: markdown(
            html.replace("@", f"<img src=/{file}>"),
            _EVERYTHING,
            drop="Drop the way to this page and all that is said of it beside the title",
        ).count("![")
        for file in ("mill.jpg",)
    }
    assert shown == {"mill.jpg": 1}


def test_the_picture_that_is_all_a_page_shows(markdown: Render) -> None:
    """As of comics, whose title is in the head alone."""
    head = "<title>Mill</title><meta property=og:image content=https://site.example/windmill.jpg>"
    page = f"<body><div><img src=/@.jpg></div><p>{_BYLINE}</p>"
    shown = [markdown(f"{head}{page.replace('@', file)}", _EVERYTHING, drop=_BYLINE) for file in ("windmill", "other")]
    assert ["![" in one for one in shown] == [True, False]


def test_the_slides_of_a_post_of_pictures(markdown: Render) -> None:
    head = "<meta property=og:image content=https://site.example/windmill.jpg>"
    slides = "".join(f"<div class=item><img src=/{name}.jpg></div>" for name in ("windmill", "watermill", "tower"))
    page = f"<h1>Mills</h1><main><div><div class=carousel-inner>{slides}</div></div><p>{_BYLINE}</p></main>"
    assert markdown(f"{head}{page}", _EVERYTHING, drop=_BYLINE).count("![") == 3


def test_the_header_of_a_site_has_no_picture_of_the_article(markdown: Render) -> None:
    page = "<div>@<img src=/view.jpg></header><main><h2>Tea</h2><p>Text.</p></main></div>"
    assert "![" not in markdown(page.replace("@", "<header class=wp-block-template-part>"), _EVERYTHING)
    assert "![" in markdown(page.replace("@", "<header>"), _EVERYTHING)


def test_a_box_to_subscribe_has_no_picture_even_if_its_words_are_kept(markdown: Render) -> None:
    html = between(
        "<div class='@-box'><h3>Our letter</h3><img src=/envelope.png><p>Each Friday, with a recipe and a walk for the weekend.</p></div>"
    )
    assert "![" not in markdown(html.replace("@", "newsletter"), _EVERYTHING)
    assert "![" in markdown(html.replace("@", "letter"), _EVERYTHING)


def test_a_gallery_of_terms_and_captions_is_no_list(markdown: Render) -> None:
    item = "<dl class='gallery-item'><dt class='gallery-icon'><a href=/a.jpg><img src=/a.jpg></a></dt><dd>Mix</dd></dl>"
    lines = lines_between(markdown(between(f"<div class=gallery>{item}</div>"), _EVERYTHING, url=f"{_SITE}/"))
    assert lines == [f"[![]({_SITE}/a.jpg)]({_SITE}/a.jpg)", "Mix"]
