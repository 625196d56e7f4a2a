/** axe-core in a page of the tests. https://github.com/dequelabs/axe-core/blob/develop/doc/API.md */
import axeCore from 'axe-core';
import type { Page } from 'playwright-core';
import { z } from 'zod';

const reportSchema = z.object({
  passes: z.array(z.object({ id: z.string() })),
  violations: z.array(
    z.object({ id: z.string(), nodes: z.array(z.object({ target: z.array(z.unknown()), failureSummary: z.string().optional() })) }),
  ),
});

const options = (rules: readonly string[] | undefined): string =>
  JSON.stringify({ resultTypes: ['violations', 'passes'], ...(rules && { runOnly: { type: 'rule', values: rules } }) });

/** Each violation with the element and what is wrong with it; and how many rules passed. WCAG 2.2 AA and best practices unless `rules` are given. */
export async function axe(
  page: Page,
  rules?: readonly string[],
): Promise<{ readonly passed: number; readonly violations: readonly string[] }> {
  // Through the debugger: the page's policy allows no script of others.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axeCore.source);
  const { passes, violations } = reportSchema.parse(await page.evaluate(`axe.run(document, ${options(rules)})`));
  return {
    passed: passes.length,
    violations: violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary ?? ''}`)),
  };
}
