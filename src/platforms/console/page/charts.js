// @ts-check
/** Shows pictures of charts, and the values at the pointer: a mouse, a finger, or the arrow keys. */
import { make, svg } from './dom.js';
import { readValues } from './api.js';

/** The width of the drawings, in SVG units. */
const WIDTH = 800;
/** The keys that move the pointer, and by how many places. */
const STEPS = new Map([
  ['ArrowLeft', -1],
  ['ArrowRight', 1],
  ['ArrowDown', -1],
  ['ArrowUp', 1],
  ['PageDown', -10],
  ['PageUp', 10],
  ['Home', -Infinity],
  ['End', Infinity],
]);

/**
 * Sets the URLs of each picture, by colour scheme. A picture that fails to load is removed, because the text is complete without it.
 * @param {DocumentFragment | HTMLElement} content @param {(key: string) => string} baseOf the address of what belongs to a picture
 */
export function hangPictures(content, baseOf) {
  for (const picture of content.querySelectorAll('picture')) {
    const key = picture.dataset['picture'] ?? '';
    const base = baseOf(key);
    const dark = make('source');
    dark.media = '(prefers-color-scheme: dark)';
    dark.srcset = `${base}/picture?of=${key}&theme=dark`;
    picture.prepend(dark);
    const image = picture.querySelector('img');
    if (image === null) continue;
    const frame = make('div', { className: 'chart' });
    picture.before(frame);
    frame.append(picture);
    image.addEventListener('error', () => frame.remove());
    image.src = `${base}/picture?of=${key}&theme=light`;
    if (picture.dataset['axes'] !== undefined) frame.append(pointer(image, `${base}/values`));
  }
}

/** @param {HTMLImageElement} image @param {string} address */
function pointer(image, address) {
  const line = make('i', { className: 'crosshair' });
  const tip = make('div', { className: 'tip' });
  const over = make('div', { className: 'pointer' }, line, tip);
  Object.assign(over, {
    tabIndex: 0,
    role: 'slider',
    ariaLabel: 'Values of the chart',
    ariaValueMin: '0',
    ariaValueMax: '0',
    ariaValueNow: '0',
  });
  over.ariaValueText = 'Press an arrow key to read the values.';
  /** @type {Promise<import('./api.js').PointedChart | undefined> | undefined} */
  let reading;
  let at = -1;
  // Loaded on first use, because most charts are never pointed at.
  const read = () =>
    (reading ??= readValues(address).catch(() => {
      over.hidden = true;
      return undefined;
    }));
  const hide = () => over.classList.remove('shown');

  /** @param {import('./api.js').PointedChart} chart @param {number} index */
  const show = (chart, index) => {
    at = Math.max(0, Math.min(chart.places.length - 1, index));
    const place = chart.places[at];
    if (place === undefined) return;
    const height = (image.naturalHeight / image.naturalWidth) * WIDTH || 450;
    const [left, top, bottom] = [place.x / WIDTH, chart.top / height, 1 - chart.bottom / height];
    Object.assign(line.style, { left: `${100 * left}%`, top: `${100 * top}%`, bottom: `${100 * bottom}%` });
    tip.replaceChildren(make('strong', { text: place.when }), ...place.values.map(({ name, text, tone }) => row(name, text, tone)));
    Object.assign(tip.style, left > 0.5 ? { left: '', right: `${100 - 100 * left}%` } : { right: '', left: `${100 * left}%` });
    for (const dot of over.querySelectorAll('.point')) dot.remove();
    for (const { y, tone } of place.values) {
      if (y === undefined) continue;
      const dot = make('i', { className: `point ${tone}` });
      Object.assign(dot.style, { left: `${100 * left}%`, top: `${(100 * y) / height}%` });
      over.append(dot);
    }
    over.ariaValueMax = String(chart.places.length - 1);
    over.ariaValueNow = String(at);
    over.ariaValueText = [place.when, ...place.values.map(({ name, text }) => `${name} ${text}`)].join(', ');
    over.classList.add('shown');
  };

  over.addEventListener('pointerenter', () => void read());
  over.addEventListener('pointermove', async (event) => {
    const box = over.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    const chart = await read();
    if (chart !== undefined) show(chart, nearest(chart.places, x));
  });
  over.addEventListener('pointerleave', hide);
  over.addEventListener('blur', hide);
  over.addEventListener('keydown', async (event) => {
    if (event.key === 'Escape') return hide();
    const step = STEPS.get(event.key);
    if (step === undefined) return;
    event.preventDefault();
    const chart = await read();
    // The first key shows the newest values.
    if (chart !== undefined) show(chart, at < 0 && Number.isFinite(step) ? chart.places.length - 1 : at + step);
  });
  return over;
}

/** @param {string} name @param {string} text @param {string} tone */
const row = (name, text, tone) =>
  make('span', {}, make('i', { className: `key-of ${tone}` }), make('bdi', { text: name }), make('b', { text }));

/** @param {readonly { x: number }[]} places sorted @param {number} x */
function nearest(places, x) {
  let [low, high] = [0, places.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.x ?? 0) <= x) low = middle;
    else high = middle;
  }
  return Math.abs((places[low]?.x ?? 0) - x) <= Math.abs((places[high]?.x ?? 0) - x) ? low : high;
}

/** Draws a line without axes; nothing for fewer than two values. @param {readonly (readonly [number, number])[]} points */
export function sparkline(points) {
  const [width, height] = [64, 16];
  const drawing = svg('svg', {
    viewBox: `0 0 ${width} ${height}`,
    width: String(width),
    height: String(height),
    'aria-hidden': 'true',
    class: 'spark',
  });
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) return drawing;
  const values = points.map(([, value]) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (/** @type {number} */ at) => 1 + ((at - first[0]) / (last[0] - first[0] || 1)) * (width - 4);
  const y = (/** @type {number} */ value) => 2 + (1 - (value - low) / (high - low || 1)) * (height - 4);
  const line = points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  drawing.append(svg('polyline', { points: line }), svg('circle', { cx: x(last[0]).toFixed(1), cy: y(last[1]).toFixed(1), r: '1.75' }));
  return drawing;
}
