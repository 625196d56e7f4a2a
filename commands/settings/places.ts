/** Maps cities and countries to timezones that are not named after them. */

/** The cities of each timezone, as `plainName` writes them. */
const CITIES: Readonly<Record<string, string>> = {
  'America/New_York':
    'nyc, brooklyn, manhattan, miami, boston, washington, washington dc, dc, philadelphia, atlanta, charlotte, orlando, tampa, pittsburgh, cleveland, columbus, cincinnati, baltimore, raleigh, florida, new jersey',
  'America/Chicago':
    'austin, dallas, houston, san antonio, minneapolis, st louis, saint louis, kansas city, milwaukee, new orleans, nashville, memphis, oklahoma city, texas, illinois',
  'America/Denver': 'salt lake city, albuquerque, el paso, colorado, utah',
  'America/Phoenix': 'tucson, scottsdale, arizona',
  'America/Los_Angeles':
    'la, san francisco, sf, bay area, silicon valley, san diego, san jose, sacramento, oakland, seattle, portland, las vegas, california, nevada, oregon',
  'America/Anchorage': 'alaska',
  'Pacific/Honolulu': 'hawaii',
  'America/Toronto': 'montreal, ottawa, quebec, quebec city, ontario',
  'America/Edmonton': 'calgary, alberta',
  'America/Vancouver': 'victoria, british columbia',
  'America/Sao_Paulo': 'rio, rio de janeiro, brasilia, belo horizonte, curitiba, porto alegre, florianopolis',
  'America/Bogota': 'medellin, cali, cartagena',
  'America/Mexico_City': 'guadalajara, puebla',
  'America/Guayaquil': 'quito',
  'America/Lima': 'cusco',
  'America/Santiago': 'valparaiso',
  'Europe/London': 'manchester, birmingham, leeds, liverpool, edinburgh, glasgow, cardiff, cambridge, oxford, bristol',
  'Europe/Dublin': 'cork',
  'Europe/Lisbon': 'porto',
  'Europe/Madrid': 'barcelona, valencia, seville, sevilla, malaga, bilbao',
  'Europe/Paris': 'lyon, marseille, nice, toulouse, bordeaux',
  'Europe/Brussels': 'antwerp, ghent, bruges',
  'Europe/Amsterdam': 'rotterdam, the hague, utrecht, eindhoven',
  'Europe/Berlin': 'munich, munchen, hamburg, frankfurt, cologne, koln, dusseldorf, stuttgart, leipzig, dresden, hanover, nuremberg',
  'Europe/Zurich': 'geneva, geneve, basel, bern, lausanne, zug, lugano',
  'Europe/Rome': 'milan, milano, naples, turin, florence, venice, bologna, roma',
  'Europe/Vienna': 'graz, salzburg, linz, innsbruck, wien',
  'Europe/Prague': 'brno, praha',
  'Europe/Warsaw': 'krakow, cracow, gdansk, wroclaw, poznan, lodz, warszawa',
  'Europe/Copenhagen': 'aarhus',
  'Europe/Stockholm': 'gothenburg, malmo',
  'Europe/Oslo': 'bergen, trondheim',
  'Europe/Helsinki': 'tampere, espoo',
  'Europe/Athens': 'thessaloniki',
  'Europe/Bucharest': 'cluj, timisoara, iasi',
  'Europe/Sofia': 'varna, plovdiv',
  'Europe/Belgrade': 'novi sad',
  'Europe/Zagreb': 'split',
  'Europe/Kyiv': 'kyiv, kiev, kharkiv, odesa, odessa, lviv, dnipro',
  'Europe/Moscow': 'st petersburg, saint petersburg, sochi, kazan',
  'Europe/Istanbul': 'ankara, izmir, antalya',
  'Africa/Lagos': 'abuja',
  'Africa/Johannesburg': 'cape town, durban, pretoria',
  'Africa/Cairo': 'alexandria',
  'Africa/Casablanca': 'marrakesh, marrakech, rabat',
  'Africa/Nairobi': 'mombasa',
  'Asia/Dubai': 'abu dhabi, sharjah',
  'Asia/Jerusalem': 'tel aviv, haifa',
  'Asia/Riyadh': 'jeddah, mecca',
  'Asia/Qatar': 'doha',
  'Asia/Kolkata':
    'kolkata, calcutta, mumbai, bombay, delhi, new delhi, bangalore, bengaluru, chennai, hyderabad, pune, ahmedabad, jaipur, goa',
  'Asia/Karachi': 'islamabad, lahore',
  'Asia/Dhaka': 'chittagong',
  'Asia/Shanghai': 'beijing, shenzhen, guangzhou, hangzhou, chengdu, wuhan, nanjing, xian, tianjin',
  'Asia/Hong_Kong': 'hk, kowloon',
  'Asia/Taipei': 'taichung, kaohsiung',
  'Asia/Tokyo': 'osaka, kyoto, yokohama, nagoya, sapporo, fukuoka, kobe',
  'Asia/Seoul': 'busan, incheon',
  'Asia/Ho_Chi_Minh': 'ho chi minh city, hcmc, saigon, hanoi, da nang',
  'Asia/Bangkok': 'chiang mai, phuket, pattaya',
  'Asia/Kuala_Lumpur': 'kl, penang, johor bahru',
  'Asia/Jakarta': 'bandung, surabaya, yogyakarta',
  'Asia/Makassar': 'bali, denpasar, ubud',
  'Asia/Manila': 'cebu, davao, quezon city',
  'Australia/Sydney': 'canberra, newcastle, wollongong',
  'Australia/Brisbane': 'gold coast, cairns, queensland',
  'Pacific/Auckland': 'wellington, christchurch, queenstown',
};

/** The timezone of each city. */
export const CITY_ZONES: ReadonlyMap<string, string> = new Map(
  Object.entries(CITIES).flatMap(([zone, cities]) => cities.split(', ').map((city) => [city, zone] as const)),
);

/** The main zone, or a choice of zones, of countries with several. */
const MAIN_ZONES: Readonly<Record<string, readonly string[]>> = {
  AR: ['America/Buenos_Aires'],
  AU: ['Australia/Sydney', 'Australia/Brisbane', 'Australia/Adelaide', 'Australia/Darwin', 'Australia/Perth'],
  BR: ['America/Sao_Paulo', 'America/Manaus', 'America/Rio_Branco', 'America/Noronha'],
  CA: ['America/Toronto', 'America/Winnipeg', 'America/Edmonton', 'America/Vancouver', 'America/Halifax', 'America/St_Johns'],
  CD: ['Africa/Kinshasa', 'Africa/Lubumbashi'],
  CL: ['America/Santiago'],
  CN: ['Asia/Shanghai'],
  CY: ['Asia/Nicosia'],
  DE: ['Europe/Berlin'],
  EC: ['America/Guayaquil'],
  ES: ['Europe/Madrid'],
  GL: ['America/Nuuk'],
  ID: ['Asia/Jakarta', 'Asia/Makassar', 'Asia/Jayapura'],
  KZ: ['Asia/Almaty'],
  MN: ['Asia/Ulaanbaatar'],
  MX: ['America/Mexico_City', 'America/Cancun', 'America/Hermosillo', 'America/Tijuana'],
  MY: ['Asia/Kuala_Lumpur'],
  NZ: ['Pacific/Auckland'],
  PG: ['Pacific/Port_Moresby'],
  PT: ['Europe/Lisbon'],
  RU: ['Europe/Moscow', 'Europe/Kaliningrad', 'Europe/Samara', 'Asia/Yekaterinburg', 'Asia/Novosibirsk', 'Asia/Vladivostok'],
  UA: ['Europe/Kyiv'],
  US: ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles', 'America/Anchorage', 'Pacific/Honolulu'],
  UZ: ['Asia/Tashkent'],
  VN: ['Asia/Ho_Chi_Minh'],
};

const OTHER_NAMES: Readonly<Record<string, string>> = {
  america: 'US',
  'united states of america': 'US',
  usa: 'US',
  us: 'US',
  britain: 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  uk: 'GB',
  uae: 'AE',
  emirates: 'AE',
  korea: 'KR',
  holland: 'NL',
  'czech republic': 'CZ',
  turkey: 'TR',
  'ivory coast': 'CI',
  burma: 'MM',
  hongkong: 'HK',
  'hong kong': 'HK',
  macau: 'MO',
  macedonia: 'MK',
  bosnia: 'BA',
  ksa: 'SA',
  deutschland: 'DE',
  espana: 'ES',
  brasil: 'BR',
  italia: 'IT',
};

/** Normalises a name: "São Paulo" becomes "sao paulo". */
export const plainName = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll(/[.,'’]/gu, '')
    .replaceAll(/[_-]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();

const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index));

/** Regions with an English name and no timezone, such as the United Nations. */
const WITHOUT_ZONES = new Set('AC BV CP CQ DG EA EU EZ HM IC QO TA UN XA XB XK ZZ'.split(' '));

/** Reads the countries by English name. Zones are read only for a named country, because reading all takes half a second. */
function readCountries(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter((code) => !WITHOUT_ZONES.has(code));
  const named = codes.flatMap((code) => {
    const name = names.of(code);
    return name === undefined ? [] : [[plainName(name), code] as const];
  });
  return new Map([...named, ...Object.entries(OTHER_NAMES)]);
}

let known: ReadonlyMap<string, string> | undefined;
const countries = (): ReadonlyMap<string, string> => (known ??= readCountries());

function zonesIn(code: string): readonly string[] {
  const locale: Intl.Locale & { readonly timeZones?: readonly string[]; readonly getTimeZones?: () => readonly string[] | undefined } =
    new Intl.Locale(`und-${code}`);
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

export const countryNames = (): readonly string[] => [...countries().keys()];

/** Returns the zones of a country, the one with most people first. */
export function countryZones(name: string): readonly string[] {
  const code = countries().get(name);
  return code === undefined ? [] : (MAIN_ZONES[code] ?? zonesIn(code));
}
