"""Languages: normalised BCP 47 tags, and detection with py3langid if installed."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final
from unicodedata import normalize

from dehusk.errors import MissingExtra, needed
from dehusk.metadata.page_candidates import language_sample
from dehusk.native.calculations import Question, ask
from dehusk.native.calls import DescribedArray, Lendable, Outcome
from dehusk.native.lazy_numpy import np
from dehusk.page.characters import encodable
from dehusk.page.page_columns import Page

_TWO_LETTERS: Final = frozenset(
    (
        "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee "
        "el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is "
        "it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms "
        "mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si "
        "sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh "
        "yi yo za zh zu"
    ).split()
)
"""ISO 639-1, and `sh`, which was withdrawn but is still used by Wikipedia."""

_THREE_LETTERS: Final = frozenset(
    (
        "ace ach acm ada ady aeb afh agq ain akk ale als alt ami ang ann anp apc apd arc arn arp arq ars arw ary arz "
        "asa ast atj avk awa ayl ayr azb bal ban bar bas bbc bcl bdr bej bem bew bez bgc bgn bho bik bin bjn bla blk "
        "blo blt bpy bra brx bss btm bts btx bua bug bxr byn cad car cbk cch ccp cdo ceb cgg chb chg chk chm chn cho "
        "chp chr chy cic ckb cnr cop crh csb csw dag dak dar dav del den dga dgr din diq dje doi dsb dtp dty dua dum "
        "dyo dyu ebu efi egy eka elx enm ewo ext fan fat fil fon frm fro frp frr frs fur gaa gag gan gay gba gcr gez "
        "gil glk gmh goh gom gon gor got gpe grb grc gsw guc gur guw guz gwi hai hak haw hif hil hit hmn hnj hsb hsn "
        "hup iba ilo inh jam jbo jgo jmc jpr jrb kaa kab kac kaj kam kaw kbd kbp kcg kde kea ken kge kgp kha kho khq "
        "kkj kln kmb kmr knc koi kok kos kpe krc kri krl kru ksb ksf ksh kum kus kut kxv lad lag lah lam lbe lez lfn "
        "lij lkt lld lmo lol loz lrc ltg lua lui lun luo lus luy lzh mad mag mai mak man mas mdf mdr men mer mfe mga "
        "mgh mgo mhn mhr mic min mnc mni mnw moh mos mrj mua mus mwl mwr myv mzn nan nap naq nds new nia niu nmg nnh "
        "nog non nov nqo nrm nso nup nus nwc nym nyn nyo nzi olo osa ota pag pal pam pap pau pcd pcm pdc peo pes pfl "
        "phn pis pms pnb pnt pon prg pro prs pwn quc quz raj rap rar rgn rhg rif rmy rof rom rsk rue rup rwk sad sah "
        "sam saq sas sat sbp scn sco sdh seh sel ses sga sgs shi shn shy sid skr sma smj smn sms snk sog srn srr ssy "
        "suk sus sux syc syr szl szy tay tcy tdd tem teo ter tet tig tiv tkl tlh tli tly tmh tog tok tpi trv trw tsi "
        "tum tvl twq tyv tzm udm uga umb vai vec vep vls vmw vot vro vun wae wal war was wbp wuu xal xmf xnr xog yao "
        "yap yav yrl yue zap zbl zea zen zgh zun zza"
    ).split()
)
"""Languages without a two-letter code: those of ISO 639-2, less its families of languages, and those of ISO 639-3 that
Unicode's locales (CLDR) or Wikipedia are written in. All of ISO 639-3 would be 7,900 codes, nearly half of all there
could be: a word of three letters would pass as a language more often than not."""

_PREFERRED: Final = dict(
    pair.split("=")
    for pair in (
        "in=id iw=he ji=yi jw=jv mo=ro aar=aa abk=ab afr=af aka=ak alb=sq amh=am ara=ar arg=an arm=hy asm=as ava=av "
        "ave=ae aym=ay aze=az bak=ba bam=bm baq=eu bel=be ben=bn bih=bh bis=bi bod=bo bos=bs bre=br bul=bg bur=my "
        "cat=ca ces=cs cha=ch che=ce chi=zh chu=cu chv=cv cmn=zh cor=kw cos=co cre=cr cym=cy cze=cs dan=da deu=de "
        "div=dv dut=nl dzo=dz ell=el eng=en epo=eo est=et eus=eu ewe=ee fao=fo fas=fa fij=fj fin=fi fra=fr fre=fr "
        "fry=fy ful=ff geo=ka ger=de gla=gd gle=ga glg=gl glv=gv gre=el grn=gn guj=gu hat=ht hau=ha heb=he her=hz "
        "hin=hi hmo=ho hrv=hr hun=hu hye=hy ibo=ig ice=is ido=io iii=ii iku=iu ile=ie ina=ia ind=id ipk=ik isl=is "
        "ita=it jav=jv jpn=ja kal=kl kan=kn kas=ks kat=ka kau=kr kaz=kk khm=km kik=ki kin=rw kir=ky kom=kv kon=kg "
        "kor=ko kua=kj kur=ku lao=lo lat=la lav=lv lim=li lin=ln lit=lt ltz=lb lub=lu lug=lg mac=mk mah=mh mal=ml "
        "mao=mi mar=mr may=ms mkd=mk mlg=mg mlt=mt mon=mn mri=mi msa=ms mya=my nau=na nav=nv nbl=nr nde=nd ndo=ng "
        "nep=ne nld=nl nno=nn nob=nb nor=no nya=ny oci=oc oji=oj ori=or orm=om oss=os pan=pa per=fa pli=pi pol=pl "
        "por=pt pus=ps que=qu roh=rm ron=ro rum=ro run=rn rus=ru sag=sg san=sa sin=si slk=sk slo=sk slv=sl sme=se "
        "smo=sm sna=sn snd=sd som=so sot=st spa=es sqi=sq srd=sc srp=sr ssw=ss sun=su swa=sw swe=sv tah=ty tam=ta "
        "tat=tt tel=te tgk=tg tgl=tl tha=th tib=bo tir=ti ton=to tsn=tn tso=ts tuk=tk tur=tr twi=tw uig=ug ukr=uk "
        "urd=ur uzb=uz ven=ve vie=vi vol=vo wel=cy wln=wa wol=wo xho=xh yid=yi yor=yo zha=za zho=zh zul=zu"
    ).split()
)
"""Codes that BCP 47 replaces: outdated ones, and three letters where there are two. `cmn` is `zh` as in CLDR."""

_CHINESE: Final = frozenset("cdo cjy cmn cpx czh czo gan hak hsn lzh mnp nan wuu yue".split())
"""Languages that may be written as extensions of `zh`: `zh-yue` is `yue`."""


_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-(?P<extended>[a-z]{3}))?(?:-(?P<script>[a-z]{4}))?(?:-(?P<region>[a-z]{2}|\d{3}))?"
    r"(?:-[a-z\d]{1,8})*(?:$|[\s,;.@|/])",
    re.IGNORECASE | re.ASCII,
)
"""RFC 5646, section 2.1, or the first tag of a list, without a charset (`en_US.UTF-8`)."""
_LONGEST_TAG: Final = 100
"""Characters that are read. RFC 5646, section 4.4.1: 35 are enough."""
_READ: Final = 500
"""Characters used for detection, as in `native/src/metadata/language_sample.rs`, which says why."""
_LEAST: Final = 100
"""Characters below which detection is a guess."""


def language_tag(text: str) -> str:
    """Normalise `en_us`, `EN-us; q=1` and the like to BCP 47, `en-US`; empty if it is no tag of a known language."""
    found = _TAG.match(text.strip()[:_LONGEST_TAG].replace("_", "-"))
    language = _language(found["language"].lower(), (found["extended"] or "").lower()) if found else ""
    if not found or not language:
        return ""
    script, region = found["script"], found["region"]
    parts = [language, script and script.title(), region and region.upper()]
    return "-".join(part for part in parts if part)


def _language(code: str, extended: str) -> str:
    """The preferred BCP 47 code of a language; empty if it is unknown."""
    code = extended if code == "zh" and extended in _CHINESE else code
    code = _PREFERRED.get(code, code)
    return code if code in _TWO_LETTERS or code in _THREE_LETTERS else ""


def detected_language(page: Page) -> str:
    """The language of the visible text, if py3langid is installed and there is enough text."""
    try:
        need_language_detection()
    except MissingExtra:
        return ""
    sample = _sample(language_sample(page))
    if not sample:
        return ""
    return language_tag(_likeliest(sample))


def detect_language(text: str) -> tuple[str, float]:
    """The language of a text and its probability; nothing and 0 if the text is too short to tell."""
    sample = _sample(text)
    if not sample:
        return "", 0.0
    need_language_detection()
    best: dict[str, float] = {}
    for language, score in zip(*_scores(sample), strict=True):
        best[language] = max(score, best.get(language, score))  # some are there once for each script
    likeliest = max(best, key=best.__getitem__)
    return language_tag(likeliest), 1 / sum(math.exp(score - best[likeliest]) for score in best.values())


def _sample(text: str) -> str:
    """The characters that are used for detection; none if they are too few."""
    sample = " ".join(text[: 2 * _READ].split())[:_READ]
    sample = sample if sample.isascii() else encodable(sample)
    return sample if len(sample) >= _LEAST else ""


def need_language_detection() -> None:
    """Refuse to go on without py3langid."""
    with needed("py3langid", "to detect languages", "metadata"):
        import py3langid  # noqa: F401


def _likeliest(sample: str) -> str:
    """The language that a text is likeliest in."""
    if (model := _model()) is not None:
        return model.languages[int(model.asked(Question.LIKELIEST_LANGUAGE, sample).summary.first)]
    languages, scores = _scores(sample)
    return languages[scores.index(max(scores))]


def _scores(sample: str) -> tuple[Sequence[str], list[float]]:
    """Languages, and the log-likelihood of each, not normalised."""
    if (model := _model()) is not None:
        return model.languages, model.asked(Question.LANGUAGE_SCORES, sample).entries(0)
    import py3langid

    ranked = py3langid.rank(sample)
    return [language for language, _ in ranked], [score for _, score in ranked]


@dataclass(frozen=True, eq=False, slots=True)
class _LanguageModel:
    """The model of py3langid, which the compiled part applies in a third of the time."""

    languages: tuple[str, ...]
    arrays: tuple[Lendable, ...]
    """As `native/src/metadata/language_scores.rs` takes them."""

    def asked(self, question: Question, sample: str) -> Outcome:
        """The answer to a question about a text."""
        # As py3langid prepares what it reads.
        text = normalize("NFC", sample.lower() if sample.isupper() else sample).encode()
        return ask(question, (text, *self.arrays), subject="the language of a text")


@cache
def _model() -> _LanguageModel | None:
    """The model, which takes half a second to read; None before py3langid 0.4, whose models are others."""
    from py3langid import langid

    read_model = getattr(langid.LanguageIdentifier, "from_model_file", None)
    if read_model is None:
        return None
    read = read_model(langid.MODEL_FILE)
    moves, features = np.asarray(read.tk_nextmove).astype(np.int32), np.asarray(read.tk_output, np.int32)
    rows, weights = np.asarray(read.tk_row, np.uint16), np.asarray(read.nb_ptc, np.float16).view(np.uint16)
    arrays = moves, rows, features, weights, np.asarray(read.nb_pc, np.float32)
    return _LanguageModel(tuple(read.nb_classes), tuple(DescribedArray(array) for array in arrays))
