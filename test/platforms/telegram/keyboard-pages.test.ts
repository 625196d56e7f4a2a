import { describe, expect, test } from 'vitest';
import { isOnePage, positionOf, rowsOf, viewAt, type KeyboardPanel, type View } from '../../../src/platforms/telegram/keyboard-pages.js';

const buttons = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ text: `${name}${index}`, callback_data: `/${name} ${index}` }));
const panel = (main: readonly number[], ...menus: readonly number[]): KeyboardPanel => ({
  main: main.map((count, index) => buttons(`g${index}-`, count)),
  menus: menus.map((count, index) => buttons(`m${index}-`, count)),
});
const texts = (of: KeyboardPanel, view: View) => rowsOf(of, view).map((row) => row.map(({ text }) => text));

test('eight buttons are one page, and nine are two', () => {
  expect(isOnePage(panel([5, 3]))).toBe(true);
  expect(texts(panel([5, 3]), { page: 0 }).flat()).toHaveLength(8);
  expect(isOnePage(panel([5, 4]))).toBe(false);
  expect(texts(panel([5, 4]), { page: 0 }).at(-1)).toEqual(['More ›']);
  expect(texts(panel([5, 4]), { page: 1 })).toEqual([['g1-2', 'g1-3'], ['‹ Back']]);
});

test('a menu leads back to the buttons that opened it', () => {
  const of = panel([2], 3);
  expect(rowsOf(of, { menu: 0, page: 0 }).at(-1)).toEqual([{ text: '‹ Back', view: { page: 0 } }]);
  expect(rowsOf(of, { menu: 0, page: 0 })).toHaveLength(2);
});

test('a page or a menu that does not exist is the last one, or empty', () => {
  expect(texts(panel([20]), { page: 99 })).toEqual(texts(panel([20]), { page: 2 }));
  expect(texts(panel([2], 3), { menu: 7, page: 0 })).toEqual([['‹ Back']]);
});

test.each([1, 7, 8, 9, 13, 14, 25, 125])('every one of %i options is on one page only', (count) => {
  const of = panel([1], count);
  const seen: string[] = [];
  for (let page = 0; ; page += 1) {
    const all = texts(of, { menu: 0, page }).flat();
    expect(all.length).toBeLessThanOrEqual(8);
    seen.push(...all.filter((text) => text.startsWith('m0-')));
    if (!all.includes('More ›')) break;
  }
  expect(seen).toEqual(buttons('m0-', count).map(({ text }) => text));
});

describe('a press keeps its place in the keyboard that follows', () => {
  const opener = (text: string, menu: number) => ({ text, menu });
  const withMenus = (...titles: readonly string[]): KeyboardPanel => ({
    main: [titles.map(opener), buttons('main', 10)],
    menus: titles.map((title) => buttons(title, 20)),
  });
  const of = withMenus('stages', 'amounts');
  const after = (next: KeyboardPanel, data: string): View | undefined => {
    const position = positionOf(of, data);
    return position && viewAt(next, position);
  };

  test('in its menu, on the page of the pressed option, also where the menus are in another order', () => {
    expect(after(of, '/amounts 0')).toEqual({ menu: 1, page: 0 });
    expect(after(of, '/amounts 8')).toEqual({ menu: 1, page: 1 });
    expect(after(withMenus('more', 'amounts'), '/amounts 19')).toEqual({ menu: 1, page: 3 });
    const marked = { ...of, menus: [of.menus[0] ?? [], buttons('✓ amounts', 20)] };
    expect(after(marked, '/amounts 8')).toEqual({ menu: 1, page: 1 });
  });

  test('on the first page where that menu, or the keyboard, is another', () => {
    expect(after(withMenus('other'), '/amounts 8')).toEqual({ page: 0 });
    expect(after(panel([1, 20]), '/main 9')).toEqual({ page: 0 });
    expect(after(of, '/main 9')).toEqual({ page: 1 });
  });

  test('and a forged button has none', () => {
    expect(positionOf(of, '/unwatch all')).toBeUndefined();
  });
});
