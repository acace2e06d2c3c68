//! Rules on what stands beside a product: readers' reviews and other products.
//!
//! A short line announces each of them, mostly a heading. What it announces is the rest of the closest element with enough
//! text below it, up to the next heading of its level.
#![forbid(unsafe_code)]

use super::announcing_lines::{read_telling_words, Beginnings};
use super::reader_posts::running_sums;
use super::situations::Situation;
use crate::blocks::kinds::kind;
use crate::failure::{filled, Failure};

/// Characters of an announcing line, which may have a number or a rating.
const LONGEST_LINE: i32 = 100;
/// Share of link text of an announcing line, and of a heading that ends its section: links lead to the section, and the
/// headings of other products are links.
const MOST_LINKED: f32 = 0.5;
/// Letters and blanks that tell whether a line announces: more than the longest name has.
const TELLING: usize = 64;
/// Characters that must be kept above the line: the name of the product. Titles of listings are announcing lines, too.
const FEWEST_ABOVE: i64 = 10;
/// Characters that must follow in the same element; otherwise the section is the element around it.
const SHORTEST_SECTION: i64 = 40;
/// Lines to examine: a page has one for each section, and more only where they label the parts of a list.
const MOST_LINES: usize = 20;

/// Lines that announce reviews, without numbers and punctuation.
#[rustfmt::skip]
const REVIEWS: [&str; 40] = [
    "customer reviews", "product reviews", "reviews", "user reviews", "reader reviews", "ratings reviews",
    "ratings and reviews", "reviews and ratings", "what customers are saying", "what others are saying",
    "most helpful customer reviews", "customer ratings", "product q a", "kundenbewertungen", "kundenrezensionen",
    "bewertungen", "rezensionen", "avis clients", "avis", "opiniones", "reseñas", "recensioni", "avaliações",
    "beoordelingen", "opinie", "recenze", "отзывы", "отзывы покупателей", "відгуки", "đánh giá", "评论", "レビュー",
    "カスタマーレビュー", "리뷰", "상품평", "yorumlar", "recensioner", "anmeldelser", "arvostelut", "comments",
];
/// Lines that announce other products.
#[rustfmt::skip]
const OTHER_PRODUCTS: [&str; 101] = [
    "related products", "related items", "related books", "related titles", "similar products", "similar items",
    "similar books", "similar titles", "other books", "you may also like", "you might also like",
    "you might also be interested in", "you may also be interested in", "you may also enjoy",
    "customers who bought this also bought", "customers who bought this item also bought",
    "customers who viewed this item also viewed", "customers also bought", "customers also viewed",
    "customers also purchased", "people also bought", "people also viewed", "frequently bought together",
    "recommended accessories", "recommended for you", "recommended products", "recently viewed",
    "recently viewed products", "recently viewed items", "featured products", "complete the look", "pairs well with",
    "sponsored products", "explore similar items", "more items to consider", "compare with similar items",
    "products related to this item", "what other items do customers buy after viewing this item",
    "ähnliche produkte", "ähnliche artikel", "das könnte dir auch gefallen", "das könnte ihnen auch gefallen",
    "kunden kauften auch", "wird oft zusammen gekauft", "zuletzt angesehen", "produits similaires",
    "produits associés", "produits apparentés", "vous aimerez aussi", "vous pourriez aussi aimer", "déjà vus",
    "productos relacionados", "productos similares", "también te puede interesar", "también te puede gustar",
    "prodotti correlati", "prodotti simili", "potrebbe interessarti anche", "ti potrebbe interessare anche",
    "produtos relacionados", "produtos similares", "você também pode gostar", "gerelateerde producten",
    "vergelijkbare producten", "anderen bekeken ook", "podobne produkty", "produkty powiązane", "polecane produkty",
    "související produkty", "podobné produkty", "související zboží", "похожие товары", "с этим товаром покупают",
    "рекомендуемые товары", "сопутствующие товары", "схожі товари", "супутні товари", "sản phẩm liên quan",
    "sản phẩm tương tự", "sản phẩm cùng loại", "相关产品", "相關產品", "相关商品", "相關商品", "猜你喜欢", "関連商品", "おすすめ商品", "관련상품",
    "연관상품", "benzer ürünler", "ilgili ürünler", "relaterade produkter", "liknande produkter", "relaterede produkter",
    "relaterte produkter", "σχετικά προϊόντα", "kapcsolódó termékek", "hasonló termékek", "produse similare",
    "منتجات ذات صلة", "منتجات مشابهة",
];

/// Drop what a line announces as readers' reviews, and the line itself.
pub fn reviews_of_a_product(situation: &Situation) -> Result<Vec<i8>, Failure> {
    static BEGINNINGS: Beginnings = Beginnings::of(&REVIEWS);
    drop_announced(situation, &BEGINNINGS, &REVIEWS)
}

/// Drop what a line announces as other products, and the line itself.
pub fn other_products(situation: &Situation) -> Result<Vec<i8>, Failure> {
    static BEGINNINGS: Beginnings = Beginnings::of(&OTHER_PRODUCTS);
    drop_announced(situation, &BEGINNINGS, &OTHER_PRODUCTS)
}

/// Whether a line is one of some names, but for numbers and punctuation. Its words are read into `words`.
fn is_one_of(names: &[&str], text: &str, words: &mut String) -> bool {
    read_telling_words(text, TELLING, words);
    names.contains(&words.as_str())
}

/// Drop the sections below lines that announce them by one of some names, which begin like this.
fn drop_announced(situation: &Situation, beginnings: &Beginnings, names: &[&str]) -> Result<Vec<i8>, Failure> {
    let segments = &situation.blocks.segments;
    // The beginning is what most lines fail by.
    let mut words = String::new();
    let is_line = |&index: &usize| {
        situation.is_shown(index)
            && segments.length[index] <= LONGEST_LINE
            && beginnings.may_begin(segments.texts.get(index))
            && segments.link_share(index) < MOST_LINKED
            && is_one_of(names, segments.texts.get(index), &mut words)
    };
    let lines: Vec<usize> = (0..situation.len()).filter(is_line).take(MOST_LINES).collect();
    if lines.is_empty() {
        return situation.no_verdicts();
    }
    let kept_before = running_sums(situation, |index| situation.keep[index])?;
    let lengths_before = running_sums(situation, |_| true)?;
    let mut announced = filled(situation.len(), |_| false)?;
    for line in lines.into_iter().filter(|&line| kept_before[line] >= FEWEST_ABOVE) {
        if let Some(end) = end_of_section(situation, line, &kept_before, &lengths_before) {
            announced[line..end].fill(true);
        }
    }
    situation.drop_kept(|index| announced[index])
}

/// The end of what a line announces: in the closest element in which enough text follows it, up to the next heading.
/// If more is kept in it above the line, and no heading follows, nothing tells where the section ends.
fn end_of_section(situation: &Situation, line: usize, kept_before: &[i64], lengths_before: &[i64]) -> Option<usize> {
    let (page, segments) = (situation.page, &situation.blocks.segments);
    let block_at = |row: i32| segments.first_row.partition_point(|&first| first < row);
    let mut row = segments.owner[line];
    loop {
        let end = block_at(page.subtree_end[row.max(0) as usize]).max(line + 1);
        if lengths_before[end] - lengths_before[line + 1] >= SHORTEST_SECTION {
            let next = next_heading(situation, line, end);
            let begins_with_line = kept_before[line] == kept_before[block_at(row).min(line)];
            return (begins_with_line || next < end).then_some(next);
        }
        if row <= 0 {
            return None;
        }
        row = page.parent[row as usize];
    }
}

/// The first heading of the line's level, or of a higher one, that may end its section; otherwise the end.
fn next_heading(situation: &Situation, line: usize, end: usize) -> usize {
    let kinds = &situation.blocks.kinds;
    let ends = |&index: &usize| {
        kinds.kind[index] == kind::HEADING
            && kinds.level[index] <= kinds.level[line]
            && situation.blocks.segments.link_share(index) < MOST_LINKED
            && situation.is_shown(index)
    };
    let is_heading = kinds.kind[line] == kind::HEADING;
    (line + 1..end).filter(|_| is_heading).find(ends).unwrap_or(end)
}

#[cfg(test)]
mod tests {
    use super::super::announcing_lines::telling_words;
    use super::*;

    #[test]
    fn names_are_as_lines_are_read() {
        for name in REVIEWS.iter().chain(&OTHER_PRODUCTS) {
            assert_eq!(telling_words(&format!("{} (12):", name.to_uppercase()), TELLING), *name);
            assert!(name.chars().count() < TELLING);
        }
    }

    #[test]
    fn no_name_is_in_two_tables() {
        let mut names: Vec<&str> = REVIEWS.iter().chain(&OTHER_PRODUCTS).copied().collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
