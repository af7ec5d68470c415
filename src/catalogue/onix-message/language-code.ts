import { languages } from '../../service/contract/language.ts'

/**
 * The codes of languages in list 74 by their shortest codes, which web pages and books have. Of several codes for the same
 * language it is that of ISO 639-2/B.
 */
const byTag: ReadonlyMap<string, string> = new Map(
  (
    'aar aav abk ace ach ada ady afa afh afr ain aka akk alb ale alg alq alt amh ang anp apa ara arc arg arm arn arp ' +
    'art arw asm ast ath atj aus ava ave awa aym aze bad bai bak bal bam ban baq bas bat bej bel bem ben ber bho bih ' +
    'bik bin bis bla bnt bos bra bre brx btk bua bug bul bum bur byn cad cai car cat cau cay ceb cel cha chb che chg ' +
    'chi chk chm chn cho chp chr chu chv chy cic ckb cmc cnr cop cor cos cpe cpf cpp cre crg crh crj crk crl crm crp ' +
    'csb csw cus cze dak dan dar day del den dgr din div doi dra dsb dua dum dut dyu dzo efi egl egy eka elx eng enm ' +
    'epo est esx ewe ewo fan fao fij fil fin fit fiu fkv fon fre frm fro frr frs fry fuf ful fur gaa gay gba gem geo ' +
    'ger gez gil git gla gle glg glv gmh gml goh gon gor got grb grc gre grn grt gsw guc guj gwi hai hat hau haw heb ' +
    'her hil him hin hit hmn hmo hmx hop hrv hsb hun hup iba ibo ice ido iii ijo ikt iku ile ilo ina inc ind ine inh ' +
    'ipk ira iro ita jav jbo jow jpn jpr jpx jrb kaa kab kac kal kam kan kar kas kau kaw kaz kbd kbp kdr kha khi khm ' +
    'kho kik kin kir kmb kok kom kon kor kos kpe kqs krc krl kro kru kss kua kum kur kut kwk lad lah lam lao lat lav ' +
    'lez lij lim lin lit lkt lmo lol lom loz ltz lua lub lug lui lun luo lus mac mad mag mah mai mak mal man mao map ' +
    'mar mas may mdf mdr men mga mic min mkh mlg mlt mnc mni mno moe moh mon mos mun mus mwf mwl mwr myn myv nah nai ' +
    'nap nau nav nbl nde ndo nds nep new nia nic niu nno nob nog non nor nqo nrf nsk nso nub nwc nya nym nyn nyo nzi ' +
    'oci odt oji ojs oka omq ood ori orm osa oss ota oto paa pag pal pam pan pap pau pcd peo per phi phn pli pms pol ' +
    'pon por poz pra pro prs pus qar qav qgl qiv qlk qls qnf qsp qsw que raj rap rar rcf rgn rjs rkt rmg roa roh rom ' +
    'rum run rup rus sad sag sah sai sal sam san sas sat scn sco sdc sdn sel sem sga sgn shi shn shs sid sin sio sit ' +
    'sla slo slv sma sme smi smj smn smo sms sna snd snk sog som son sot spa srd srm srn sro srp srr ssa ssw sto suk ' +
    'sun sus sux swa swb swe syc syr szl tah tai tam tat tel tem ter tet tgk tgl tha thp tib tig tir tiv tkl tlh tli ' +
    'tmh tod tog ton tpi tsd tsi tsn tso tuk tum tup tur tut tvl tyv tzm tzo udm uga uig ukr umb urd urj uzb vai vec ' +
    'ven vie vol vot wak wal war was wel wen wln wls wol wym xal xho xuu yao yap yid yor ypk yue zap zbl zen zgh zha ' +
    'zhx znd zul zun zza'
  )
    .split(' ')
    .map(code => [canonical(code), code]),
)

/** The languages that the service has English names for. */
const byName: Readonly<Record<(typeof languages)[number], string>> = {
  English: 'eng',
  French: 'fre',
  German: 'ger',
  Italian: 'ita',
  Spanish: 'spa',
}

/**
 * The code of a language in list 74 (ISO 639-2/B), and of its country where the tag names one. The language is a tag, or one
 * of the service's names. Undefined for what is neither.
 */
export function languageCode(
  language: string,
): { readonly code: string; readonly country?: string } | undefined {
  const named = languages.find(each => each.toLowerCase() === language.trim().toLowerCase())
  if (named !== undefined) return { code: byName[named] }
  const [, primary = '', country] =
    /^([a-z]{2,3})(?:[-_][a-z]{4})?(?:[-_]([a-z]{2}))?$/i.exec(language.trim()) ?? []
  const code = byTag.get(canonical(primary))
  if (code === undefined) return undefined
  return { code, ...(country !== undefined && { country: country.toUpperCase() }) }
}

/** The shortest code of a language; an empty text for what is no language tag. */
function canonical(code: string): string {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? ''
  } catch {
    return ''
  }
}
