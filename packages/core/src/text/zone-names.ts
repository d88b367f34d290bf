/** Abbreviations by seconds ahead of UTC. */
interface Names {
  readonly [offset: number]: string
}

const european: Names = { 0: 'WET', 3600: 'CET', 7200: 'CEST', 10800: 'EEST' }
const middleEuropean: Names = { 3600: 'CET', 7200: 'CEST' }
const eastEuropean: Names = { 7200: 'EET', 10800: 'EEST' }
const westEuropean: Names = { 0: 'WET', 3600: 'WEST' }
const british: Names = { 0: 'GMT', 3600: 'BST' }
const irish: Names = { 0: 'GMT', 3600: 'IST' }
const moscow: Names = { 10800: 'MSK' }
const numeric: Names = {}
const greenwich: Names = { 0: 'GMT' }
const universal: Names = { 0: 'UTC' }
const india: Names = { 19800: 'IST' }
const israel: Names = { 7200: 'IST', 10800: 'IDT' }
const china: Names = { 28800: 'CST' }
const hongKong: Names = { 28800: 'HKT' }
const japan: Names = { 32400: 'JST' }
const korea: Names = { 30600: 'KST', 32400: 'KST' }
const southAfrica: Names = { 7200: 'SAST' }
const newZealand: Names = { 43200: 'NZST', 46800: 'NZDT' }
const samoa: Names = { [-39600]: 'SST' }
const chamorro: Names = { 36000: 'ChST' }
const hawaii: Names = { [-36000]: 'HST' }
const aleutian: Names = { [-36000]: 'HST', [-32400]: 'HDT' }
const newfoundland: Names = { [-12600]: 'NST', [-9000]: 'NDT' }
const cuba: Names = { [-18000]: 'CST', [-14400]: 'CDT' }
const caribbean: Names = { [-14400]: 'AST', [-10800]: 'ADT' }
const eastern: Names = { [-18000]: 'EST', [-14400]: 'EDT' }
const central: Names = { [-21600]: 'CST', [-18000]: 'CDT' }
const mountain: Names = { [-25200]: 'MST', [-21600]: 'MDT' }

/** Zones by name, or by the part before the first slash. */
const zones = new Map<string, Names>()

function add(names: Names, list: string): void {
  for (const name of list.split(' ')) zones.set(name, names)
}

add({ 0: 'GMT', 3600: 'WAT', 7200: 'CAT', 10800: 'EAT' }, 'Africa')
add({ 7200: 'CAT', 10800: 'EAT' }, 'Africa/Juba Africa/Khartoum')
add(
  { 28800: 'AWST', 34200: 'ACST', 37800: 'ACDT', 36000: 'AEST', 39600: 'AEDT' },
  'Australia Antarctica/Macquarie',
)
add(numeric, 'Africa/Casablanca Africa/El_Aaiun Australia/Lord_Howe Australia/LHI')
add(middleEuropean, 'Africa/Algiers Africa/Ceuta Africa/Tunis Arctic Atlantic/Jan_Mayen CET Poland')
add(eastEuropean, 'Africa/Cairo Africa/Tripoli Asia/Beirut Asia/Famagusta')
add(
  eastEuropean,
  'Asia/Gaza Asia/Hebron Asia/Nicosia EET Egypt Libya Europe/Athens Europe/Bucharest',
)
add(eastEuropean, 'Europe/Chisinau Europe/Helsinki Europe/Kaliningrad Europe/Kiev Europe/Kyiv')
add(eastEuropean, 'Europe/Mariehamn Europe/Nicosia Europe/Riga Europe/Sofia Europe/Tallinn')
add(eastEuropean, 'Europe/Tiraspol Europe/Uzhgorod Europe/Vilnius Europe/Zaporozhye')
add(westEuropean, 'Atlantic/Canary Atlantic/Faeroe Atlantic/Faroe Atlantic/Madeira Europe/Lisbon')
add(westEuropean, 'Portugal WET')
add(european, 'Europe')
add(
  british,
  'Europe/Belfast Europe/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/London GB GB-Eire',
)
add(irish, 'Eire Europe/Dublin')
add(moscow, 'Europe/Kirov Europe/Moscow Europe/Simferopol Europe/Volgograd W-SU')
add({ 7200: 'EET' }, 'Asia/Amman Asia/Damascus Asia/Istanbul Europe/Istanbul Europe/Minsk Turkey')
add(numeric, 'Europe/Samara Europe/Saratov Europe/Astrakhan')
add(numeric, 'Europe/Ulyanovsk')
add(
  greenwich,
  'Atlantic/Reykjavik Atlantic/St_Helena America/Danmarkshavn Iceland GMT GMT0 GMT+0 GMT-0',
)
add(greenwich, 'Greenwich Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/Greenwich')
add(universal, 'Etc/UCT Etc/UTC Etc/Universal Etc/Zulu UCT Universal Zulu')
add(southAfrica, 'Africa/Johannesburg Africa/Maseru Africa/Mbabane')
add({ 10800: 'EAT' }, 'Indian/Antananarivo Indian/Comoro Indian/Mayotte')
add(israel, 'Asia/Jerusalem Asia/Tel_Aviv Israel')
add({ 18000: 'PKT' }, 'Asia/Karachi')
add(india, 'Asia/Calcutta Asia/Kolkata')
add({ 25200: 'WIB' }, 'Asia/Jakarta Asia/Pontianak')
add({ 28800: 'WITA' }, 'Asia/Makassar Asia/Ujung_Pandang')
add({ 32400: 'WIT' }, 'Asia/Jayapura')
add(
  china,
  'Asia/Chongqing Asia/Chungking Asia/Harbin Asia/Macao Asia/Macau Asia/Shanghai Asia/Taipei',
)
add(china, 'PRC ROC')
add(hongKong, 'Asia/Hong_Kong Hongkong')
add({ 28800: 'PST' }, 'Asia/Manila')
add(japan, 'Asia/Tokyo Japan')
add(korea, 'Asia/Seoul Asia/Pyongyang ROK')
add(newZealand, 'Antarctica/McMurdo Antarctica/South_Pole NZ Pacific/Auckland')
add(samoa, 'Pacific/Midway Pacific/Pago_Pago Pacific/Samoa US/Samoa')
add(chamorro, 'Pacific/Guam Pacific/Saipan')
add(hawaii, 'HST Pacific/Honolulu Pacific/Johnston US/Hawaii')
add(aleutian, 'America/Adak America/Atka US/Aleutian')
add(newfoundland, 'America/St_Johns Canada/Newfoundland')
add(cuba, 'America/Havana Cuba')
add(caribbean, 'America/Barbados America/Martinique America/Puerto_Rico America/Port_of_Spain')
add(eastern, 'America/Cayman America/Jamaica America/Panama Jamaica')
add({ [-18000]: 'EST', [-21600]: 'CST' }, 'America/Cancun')
add(central, 'America/Belize America/Costa_Rica America/El_Salvador America/Guatemala')
add(
  central,
  'America/Managua America/Mexico_City America/Monterrey America/Tegucigalpa Mexico/General',
)
add(mountain, 'America/Hermosillo America/Mazatlan Mexico/BajaSur')
add(mountain, 'America/Chihuahua America/Ciudad_Juarez America/Dawson America/Whitehorse')
add(mountain, 'Canada/Yukon')
add({ 3600: 'MET', 7200: 'MEST' }, 'MET')

/**
 * What the zone database calls the time of a zone, where that is a word: `CET`, `IST`. Zones without an entry here are
 * those whose words English locales know, and those that have none.
 *
 * Source: IANA time zone database 2025b
 */
export function zoneName(zone: string, offset: number): string | undefined {
  const names = zones.get(zone) ?? zones.get(zone.split('/')[0]!)
  return names?.[offset]
}

/** True for a zone whose words are all in the table: what it does not have is written as an offset. */
export function isNamedZone(zone: string): boolean {
  return zones.has(zone) || zones.has(zone.split('/')[0]!)
}
