//! Function words: the small words that sentences need and menus do not.
//!
//! Only the most frequent ones of each language: five or six of them make a third of running text. Where words are not
//! written apart, the characters that do the same work stand for them.
#![forbid(unsafe_code)]

use super::fixed_words::FixedWords;
use super::word_hashes::hash_words;

const OF_LANGUAGE: [(&str, &str); 25] = [
    ("Arabic", "في من على إلى أن هذا التي الذي كان عن مع هذه ما لا كما بعد قد بين كل"),
    ("Chinese", "的 了 是 在 不 和 有 他 这 我 也 就 说 对 与 等 将 而 被 其 这 為 於"),
    ("Czech", "a v se na je že s z do o k i jako za by ale pro jsou který po jeho byl"),
    ("Dutch", "de het een van en in is dat op te zijn met voor niet die er aan ook als maar bij door"),
    (
        "English",
        "the of and to a in is that for it was on with as be by he at this are or not have from which you his they an \
         but had has we were who their will its would been",
    ),
    ("Finnish", "ja on ei se että oli hän ovat mutta joka myös kun niin mukaan"),
    ("French", "de la le et les des en un du une que est pour qui dans par au sur pas plus il avec ne ce sont se son"),
    (
        "German",
        "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus",
    ),
    ("Greek", "και το του της η να ο την στο που με για από τα των τον στην θα οι είναι δεν σε"),
    ("Hindi", "के में की है और से का को पर ने कि यह भी हैं एक लिए इस नहीं"),
    ("Hungarian", "a az és hogy nem is egy de meg ez volt már csak mint azt el"),
    ("Indonesian", "yang dan di dengan untuk dari ini pada itu dalam tidak adalah akan ke juga"),
    ("Italian", "di e il la che in a per un è del non le con una si da i sono alla della ha come anche"),
    ("Japanese", "の は を に が で と も な た し て い る"),
    ("Korean", "이 그 수 등 및 것 있는 있다 한 는 은 을 를 에 의 대한 위해 그리고"),
    ("Persian", "و در به از که این را با است برای آن یک می های شد"),
    ("Polish", "w i na z się nie do to że o jest jak a po od za przez co ale dla tym był oraz są"),
    ("Portuguese", "de a o que e do da em um para com não uma os no se na por mais as dos como ao das foi"),
    ("Romanian", "de și în a la cu pe că nu din o un care mai pentru este sau au fost"),
    ("Russian", "и в не на что с он как по это но из у за от так же для был его к а о то все она бы"),
    ("Spanish", "de la que el en y a los se del las un por con no una su para es al lo como más pero sus"),
    (
        "Swedish and Danish",
        "och i att det som en på är av för med den till inte om ett har jag var de og at af ikke er",
    ),
    ("Turkish", "ve bir bu için ile da de olarak daha çok olan gibi ne ama kadar sonra en"),
    ("Ukrainian", "і в не на що з як до та це але від за про у його"),
    ("Vietnamese", "và của là có các được cho trong không một với những người này đã"),
];

/// The function words of all languages.
pub fn function_words() -> FixedWords {
    let mut hashes = Vec::new();
    for (_, words) in OF_LANGUAGE {
        hash_words(words, 0, &mut hashes);
    }
    FixedWords::new(hashes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_small_words_of_many_languages() {
        let known = function_words();
        for (text, is_known) in [("The", true), ("und", true), ("の", true), ("cat", false), ("2024", false)] {
            let mut hashes = Vec::new();
            hash_words(text, 0, &mut hashes);
            assert_eq!(known.has(hashes[0]), is_known, "{text}");
        }
    }

    #[test]
    fn all_have_places() {
        let known = function_words();
        for (language, words) in OF_LANGUAGE {
            let mut hashes = Vec::new();
            hash_words(words, 0, &mut hashes);
            assert!(hashes.iter().all(|&hash| known.has(hash)), "{language}");
        }
    }
}
