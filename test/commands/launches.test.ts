import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

const RECENT = '/v1/global-dashboard/recent-launches';
const COMPLETED = '/v1/global-dashboard/completed-launches/info';
const GRAVEYARD = '/v1/global-dashboard/graveyard-launches';
const seconds = (iso: string) => String(Date.parse(iso) / 1_000);
const HOUR = 3_600;

const heron = {
  launchAddr: 'HeronLaunch',
  baseMint: 'HeronMint',
  title: 'Heron Flats',
  tokenSymbol: 'HERN',
  organizationSlug: 'heron',
  state: 'Live',
  minimumRaiseAmount: '750000000000',
  committedAmount: '960000000000',
  fundsAccepted: null,
  unixTimestampStarted: seconds('2026-11-19T17:00:00Z'),
  secondsForLaunch: String(24 * HOUR),
  isPermissionLess: true,
  fdv: null,
};
const marsh = {
  ...heron,
  launchAddr: 'MarshLaunch',
  baseMint: 'MarshMint',
  title: 'Salt Marsh',
  tokenSymbol: 'MARSH',
  organizationSlug: 'marsh',
  minimumRaiseAmount: '1000000000000',
  committedAmount: '410000000000',
  secondsForLaunch: String(94 * HOUR),
  isPermissionLess: false,
};
const alder = {
  ...heron,
  launchAddr: 'AlderLaunch',
  baseMint: 'AlderMint',
  title: 'Alder Works',
  tokenSymbol: 'ALDR',
  organizationSlug: 'alder',
  state: 'Complete',
  committedAmount: '15500000000000',
  fundsAccepted: '3000000000000',
  icoReturn: 1.2,
  tokenUsdPrice: '0.36',
};

test('live launches come first, earliest end on top, with the amount missing to their minimum', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: { [RECENT]: [alder, marsh, heron] } });
  const { text, reply } = await say('/launches');
  const lines = text.split('\n');
  expect(lines[0]).toBe('2 live launches, 1 ends today');
  expect(lines[1]).toMatch(/^● Heron Flats \(HERN\): 128% of minimum · ends 17:00 UTC · \$960K of \$750K/u);
  expect(lines[3]).toMatch(/^● Salt Marsh \(MARSH\): 41\.0% of minimum · ends Nov 23, 15:00 UTC · \$410K of \$1\.00M/u);
  expect(lines[4]).toMatch(/allowlist/u);
  expect(lines[5]).toMatch(/^○ Alder Works \(ALDR\): raised \$3\.00M of \$15\.5M .+5\.2x/u);
  expect(lines[6]).toBe('  complete · price $0.3600 · 1.2x since ICO');
  expect(await deadButtons(reply)).toEqual([]);
});

test('a live launch whose end has passed is said to have been due, and an unknown state is shown as it came', async () => {
  const late = { ...heron, secondsForLaunch: String(18 * HOUR) };
  const odd = { ...marsh, state: 'Hibernating', committedAmount: null, icoReturn: null };
  const { say } = await openAppHarness({ answers: { [RECENT]: { data: [late, odd, { title: 'no address' }], meta: { totalItems: 3 } } } });
  const { text } = await say('/launches');
  expect(text).toContain('1 live launch\n');
  expect(text).toContain('was due to end 11:00 UTC');
  expect(text).toContain('○ Salt Marsh (MARSH): minimum $1.00M\n  hibernating');
  expect(text).toMatch(/⚠ 1 row /u);
});

test('raw amounts are millionths, and what the graveyard raised is dollars already', async () => {
  const { say } = await openAppHarness({
    answers: {
      [COMPLETED]: {
        data: [
          {
            launchAddr: 'A',
            title: 'Alder Works',
            state: 'Complete',
            committedAmount: '3000000',
            fundsAccepted: '3000000',
            holdersCount: '10518',
          },
        ],
        meta: { totalItems: 1 },
      },
      [GRAVEYARD]: [
        {
          launchAddr: 'C',
          title: 'Cinder Quay',
          tokenSymbol: 'CNDR',
          reasonStatus: 'liquidated',
          dateEnded: '2026-08-14T11:00:00Z',
          fundRaised: '1210000.50',
          targetRaise: '1000000',
          icoPrice: '0.121',
          icoInvestors: '812',
          organizationSlug: 'cinder-quay',
        },
      ],
    },
  });
  expect((await say('/launches completed')).text).toMatch(
    /○ Alder Works: raised \$3\.00 of \$3\.00 committed\n {2}complete · 10,518 holders/u,
  );
  expect((await say('/launches graveyard')).text).toMatch(
    /○ Cinder Quay \(CNDR\): liquidated Aug 14, 11:00 UTC\n {2}raised \$1\.21M of \$1\.00M target · .+ \$0\.1210 · 812 investors/u,
  );
});

test('a completed launch, which names no project, is found by the mint or the address of one that does', async () => {
  const { say } = await openAppHarness({
    answers: {
      [RECENT]: { data: [{ ...alder, organizationSlug: 'heron', launchAddr: 'First', title: 'Round 1' }, heron], meta: { totalItems: 2 } },
      [COMPLETED]: [
        { launchAddr: 'First', title: 'Round 1' },
        { launchAddr: 'Old', baseMint: 'HeronMint', title: 'Round 0' },
        { launchAddr: 'Other', baseMint: 'OtherMint', title: 'Else' },
      ],
    },
  });
  const { text } = await say('/launches heron');
  expect(
    text
      .split('\n')
      .filter((line) => /^[●○]/u.test(line))
      .map((line) => line.slice(0, 13)),
  ).toEqual(['● Heron Flats', '○ Round 1: ra', '○ Round 0: ra']);
  expect(text).toMatch(/⚠ Graveyard launches: n\/a/u);
});

test('what is live comes first on the first page, wherever the list of the service has it', async () => {
  const ended = Array.from({ length: 12 }, (_, place) => ({ ...alder, launchAddr: `A${place}`, title: `Round ${place}` }));
  const { say } = await openAppHarness({ answers: { [RECENT]: { data: [...ended, heron, marsh], meta: { totalItems: 14 } } } });
  const lines = (await say('/launches')).text.split('\n');
  expect(lines[0]).toBe('2 live launches, 1 ends today, page 1 of 2');
  expect(lines.filter((line) => /^[●○]/u.test(line)).map((line) => line.slice(0, 8))).toEqual([
    '● Heron ',
    '● Salt M',
    ...Array(8).fill('○ Round '),
  ]);
  const second = (await say('/launches 2')).text;
  expect(second).toMatch(/^2 live launches, 1 ends today, page 2 of 2\n/u);
  expect(second).not.toContain('●');
});

test('without a live launch it says so, and where the list is incomplete it says that too', async () => {
  const listed = async (totalItems: number) =>
    (await (await openAppHarness({ answers: { [RECENT]: { data: [alder], meta: { totalItems } } } })).say('/launches')).text;
  expect(await listed(1)).toMatch(/^No live launches\n/u);
  expect(await listed(1)).not.toContain('Incomplete');
  expect(await listed(25)).toContain('⚠ Incomplete: there may be more launches.');
});

test('the launches of a project are paged, and a list of them can be named', async () => {
  const ended = Array.from({ length: 23 }, (_, place) => ({ launchAddr: `E${place}`, title: `Round ${place}`, organizationSlug: 'heron' }));
  const { say, deadButtons } = await openAppHarness({
    answers: {
      [RECENT]: { data: [heron], meta: { totalItems: 1 } },
      [COMPLETED]: [],
      [GRAVEYARD]: { data: ended, meta: { totalItems: 23 } },
    },
  });
  const first = await say('/launches heron');
  expect(first.text).toContain('Heron Flats: 24 launches, page 1 of 3\n● Heron Flats');
  expect(first.text).not.toContain('more');
  const next = first.reply.actions.find(({ label }) => label === 'Next page')?.line ?? '';
  expect(next).toBe('/launches heron 2');
  expect((await say(next)).text).toContain('Round 18: ');
  expect((await say('/launches heron 4')).text).toContain('Heron Flats: page 4 is empty');
  const graveyard = await say('/launches heron graveyard 2');
  expect(graveyard.text).toMatch(/^Heron Flats: 23 .+, page 2 of 3\n○ Round 10: /u);
  expect(graveyard.reply.actions.find(({ label }) => label === 'Next page')?.line).toBe('/launches heron graveyard 3');
  expect((await say('/launches heron recent')).text).toContain('Heron Flats: 1 recent launch\n');
  expect((await say('/launches heron completed')).text).toContain('Heron Flats: no completed launches');
  expect([...(await deadButtons(first.reply)), ...(await deadButtons(graveyard.reply))]).toEqual([]);
});

test('empty lists and pages behind the last one say so', async () => {
  const { say } = await openAppHarness({ answers: { [RECENT]: [], [COMPLETED]: [], [GRAVEYARD]: [] } });
  expect((await say('/launches')).text).toContain('No recent launches');
  expect((await say('/launches completed')).text).toContain('No completed launches');
  expect((await say('/launches graveyard')).text).toContain('No ended projects');
  expect((await say('/launches graveyard 3')).text).toContain('Page 3 is empty');
  expect((await say('/launches heron')).text).toContain('Heron Flats: no launches');
});

test('every list of the simulated service answers, and every button leads on', async () => {
  const { say, deadButtons } = await openAppHarness();
  for (const line of [
    '/launches',
    '/launches 2',
    '/launches completed',
    '/launches completed 2',
    '/launches graveyard',
    '/launches heron',
    '/launches cinder-quay',
    '/launches quarry-lane',
  ]) {
    const { reply, text } = await say(line);
    expect([line, await deadButtons(reply), text.match(/undefined|NaN|\[object/u)]).toEqual([line, [], null]);
  }
});
