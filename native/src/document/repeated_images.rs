//! Pictures that stand at the same place several times: in a gallery, in the row of small ones below it, and in the dialog that
//! shows them in large.
#![forbid(unsafe_code)]

use super::embeds::without_query;
use super::image_addresses::{image_addresses, is_address_of_picture};
use super::images::is_image;
use super::lead_images::{behind_proxy, name_of_file};
use super::steps::count;
use crate::blocks::page_view::PageView;
use crate::features::numbering::Hashing;
use std::collections::HashSet;

/// Digits in the name of a file that tells it from those in other folders: `1.jpg` and `large.jpg` do not.
const FEWEST_DIGITS: usize = 4;
/// The folder in which WordPress keeps those of each month.
const FOLDER_OF_MONTHS: &str = "/uploads/";

/// Leaves each picture once among the rows beside a block; what is no picture stays.
pub fn leave_each_once(page: &PageView, rows: &mut Vec<usize>) {
    if rows.len() < 2 {
        return;
    }
    count(rows.len());
    let mut files: HashSet<String, Hashing> = HashSet::default();
    rows.retain(|&row| !is_image(page, row) || file_of(page, row).is_none_or(|file| files.insert(file)));
}

/// What the address of a picture says of its file, in any size.
fn file_of(page: &PageView, row: usize) -> Option<String> {
    let address = image_addresses(page, row).first().map(|address| behind_proxy(address))?;
    if !is_address_of_picture(&address) {
        return Some(address.into_owned());
    }
    if let Some(number) = number_of_prestashop(without_query(&address)) {
        return Some(number.to_owned());
    }
    let name = without_size(name_of_file(&address));
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    if digits >= FEWEST_DIGITS && !address.contains(FOLDER_OF_MONTHS) {
        return Some(name.to_owned());
    }
    let folder = without_query(&address).rsplit_once('/').map_or("", |(folder, _)| folder);
    Some(format!("{}/{}", folder, name))
}

/// The number of a picture in the folder that PrestaShop writes before the name of the product: `/270-medium_default/mill.jpg`.
fn number_of_prestashop(path: &str) -> Option<&str> {
    let folder = path.rsplit('/').nth(1)?.strip_suffix("_default")?;
    let (number, _) = folder.split_once('-')?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some(number)
}

/// The name of a file without the size that Shopify writes at its end: `mill_300x300`, `mill_300x`.
fn without_size(name: &str) -> &str {
    let is_number = |side: &str| side.bytes().all(|byte| byte.is_ascii_digit());
    match name.rsplit_once('_').map(|(before, size)| (before, size.split_once('x'))) {
        Some((before, Some((width, height)))) if !width.is_empty() && is_number(width) && is_number(height) => before,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::{number_of_prestashop, without_size};

    #[test]
    fn pictures_of_prestashop_have_numbers() {
        assert_eq!(number_of_prestashop("https://a.example/270-medium_default/mill.jpg"), Some("270"));
        assert_eq!(number_of_prestashop("/270-mills/mill.jpg"), None);
    }

    #[test]
    fn names_have_no_size() {
        for (name, expected) in
            [("mill_300x300", "mill"), ("mill_300x", "mill"), ("mill_x3", "mill_x3"), ("mill", "mill")]
        {
            assert_eq!(without_size(name), expected);
        }
    }
}
