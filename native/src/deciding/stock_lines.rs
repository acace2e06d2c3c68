//! The rule on what shops write beside every product: stock, delivery, returns, baskets.
#![forbid(unsafe_code)]

use super::announcing_lines::{read_telling_words, Beginnings};
use super::situations::Situation;
use crate::blocks::kinds::kind;
use crate::failure::Failure;

/// Characters of such a line: a longer text may say more. With 160 and 250, more labelled pages get worse.
const LONGEST_LINE: i64 = 100;
/// Characters of a line that is recognised by its first word.
const LONGEST_BEGINNING: i64 = 60;
/// Characters at the beginning of a line in which a price stands that is more than a note on delivery: `39 €, in stock`.
const PRICE_WITHIN: usize = 12;
const CURRENCIES: [char; 9] = ['$', '€', '£', '¥', '₫', '₹', '₽', '₩', '₺'];
/// The first character of scripts that set no blanks between words.
const WITHOUT_BLANKS: char = '\u{2e80}';

/// Words that such lines have, in the order of their bytes; none begins with another.
#[rustfmt::skip]
const PHRASES: [&str; 123] = [
    "add to bag", "add to basket", "add to cart", "add to wish list", "add to wishlist", "adicionar ao carrinho",
    "aggiungi al carrello", "agotado", "agregar al carrito", "ajouter au panier", "auf lager", "añadir al carrito",
    "check availability", "còn hàng", "darmowa dostawa", "day returns", "days returns", "delivery and returns",
    "delivery date", "delivery returns", "delivery time", "do koszyka", "do košíku", "doprava zdarma", "easy returns",
    "em estoque", "email me when", "en stock", "envío gratis", "envío gratuito", "esgotado", "estimated delivery",
    "express delivery", "express shipping", "find in store", "frais de port", "free delivery", "free express",
    "free returns", "free shipping", "free standard delivery", "frete grátis", "fri frakt", "gastos de envío",
    "giao hàng", "gift wrap", "gratis verzending", "home delivery", "hết hàng", "i lager", "in den warenkorb",
    "in stock", "in winkelwagen", "interest free payments", "kostenloser versand", "lieferzeit", "livraison gratuite",
    "livraison offerte", "livraison à domicile", "miễn phí vận chuyển", "money back", "next day delivery",
    "nicht vorrätig", "non disponibile", "notify me when", "on backorder", "op voorraad", "out of stock",
    "paiement sécurisé", "payment methods", "pick up in store", "plus shipping", "på lager", "ready to ship",
    "retour gratuit", "retours gratuits", "return policy", "returns policy", "rupture de stock", "same day dispatch",
    "same day shipping", "satisfaction guarantee", "secure checkout", "secure payment", "sepete ekle",
    "shipping and returns", "shipping calculated", "shipping returns", "ships from", "ships in", "ships within",
    "skladem", "sofort lieferbar", "sold out", "spedizione gratuita", "standard delivery", "standard shipping",
    "stokta", "store pickup", "tage rückgabe", "tax included", "taxes included", "thêm vào giỏ", "uitverkocht",
    "usually ships", "versandkostenfrei", "w magazynie", "zzgl versand", "ücretsiz kargo", "đổi trả",
    "бесплатная доставка", "в корзину", "в наличии", "в наявності", "カートに入れる", "加入购物车", "包邮", "在庫", "有货", "缺货", "送料",
    "무료배송", "장바구니",
];
/// How these phrases begin.
static FIRST_LETTERS: Beginnings = Beginnings::of(&PHRASES);
/// Words that such lines begin with.
#[rustfmt::skip]
const BEGINNINGS: [&str; 15] = [
    "availability", "shipping", "delivery", "returns", "disponibilité", "disponibilidad", "verfügbarkeit",
    "lieferung", "livraison", "entrega", "spedizione", "dostupnost", "dostawa", "доставка", "наличие",
];
/// Words of specifications: `Shipping weight`.
const OF_FACTS: [&str; 3] = ["weight", "dimensions", "size"];

/// Drop short lines about stock, delivery, returns and baskets.
pub fn stock_and_delivery(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let mut words = String::new();
    let mut is_about_shop = |text: &str, by_beginning: bool| {
        read_telling_words(text, LONGEST_LINE as usize, &mut words);
        is_of_shop(&words, by_beginning)
    };
    situation.drop_kept(|index| {
        let length = situation.length(index);
        let text = situation.blocks.segments.texts.get(index);
        length <= LONGEST_LINE
            && situation.kinds[index] != kind::TITLE
            && is_about_shop(text, length <= LONGEST_BEGINNING)
            && !text.chars().take(PRICE_WITHIN).any(|character| CURRENCIES.contains(&character))
    })
}

/// Whether words are about stock or delivery, by their beginning or by any of them.
fn is_of_shop(words: &str, by_beginning: bool) -> bool {
    let first = words.split(' ').next().unwrap_or("");
    let is_named = by_beginning && BEGINNINGS.contains(&first);
    (is_named || starts_of_words(words).any(|at| begins_with_phrase(&words[at..])))
        && !OF_FACTS.iter().any(|word| words.contains(word))
}

/// Where words start; in scripts without blanks, any character.
fn starts_of_words(words: &str) -> impl Iterator<Item = usize> + '_ {
    let mut is_start = true;
    words.char_indices().filter_map(move |(at, character)| {
        let starts = is_start || character >= WITHOUT_BLANKS;
        is_start = character == ' ';
        starts.then_some(at)
    })
}

/// Whether one of the phrases stands at the beginning of words. Of phrases that do not begin with each other, only the last
/// one that is not greater can.
fn begins_with_phrase(words: &str) -> bool {
    if !FIRST_LETTERS.may_begin(words) {
        return false;
    }
    let place = PHRASES.partition_point(|phrase| *phrase <= words);
    let phrase = match place.checked_sub(1) {
        Some(before) => PHRASES[before],
        None => return false,
    };
    let ends_word = |rest: &str| {
        rest.chars().next().is_none_or(|next| next == ' ')
            || phrase.chars().next_back().is_some_and(|last| last >= WITHOUT_BLANKS)
    };
    words.strip_prefix(phrase).is_some_and(ends_word)
}

#[cfg(test)]
mod tests {
    use super::super::announcing_lines::telling_words;
    use super::*;

    fn is_dropped(line: &str) -> bool {
        is_of_shop(&telling_words(line, 100), line.len() <= 60)
    }

    #[test]
    fn lines_of_shops() {
        for line in [
            "In stock",
            "Only 2 left in stock!",
            "Availability: 3 to 5 days",
            "Free shipping on orders over 50",
            "Auf Lager",
            "30-day returns",
            "本店在庫あり",
            "Còn hàng",
        ] {
            assert!(is_dropped(line), "{}", line);
        }
    }

    #[test]
    fn other_lines() {
        for line in
            ["", "Stockholm", "In stockings", "Shipping weight: 2 kg", "Holds one litre", "Rolled in stockinette"]
        {
            assert!(!is_dropped(line), "{}", line);
        }
    }

    #[test]
    fn phrases_are_in_order_and_none_begins_with_another() {
        for pair in PHRASES.windows(2) {
            assert!(pair[0] < pair[1] && !pair[1].starts_with(pair[0]), "{:?}", pair);
        }
        for name in PHRASES.iter().chain(&BEGINNINGS) {
            assert_eq!(telling_words(name, 64), *name);
        }
    }
}
