/** What axe finds wrong with a page for people who do not see it, or not well. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

export interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

export interface AxeResult {
  readonly violations: readonly Violation[];
  /** How many rules found something to look at, and it right. */
  readonly passes: number;
}

interface Axe {
  readonly run: (
    root: Document,
    options: object,
  ) => Promise<{ violations: readonly Violation[]; passes: readonly unknown[] }>;
}

const SOURCE = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Checks by all rules, or by those that are named. */
export async function runAxe(page: Page, rules: readonly string[] | null = null): Promise<AxeResult> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await SOURCE);
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: Axe };
    const options = {
      iframes: false,
      // Of what is right the number is asked for, not where it is: to name every element takes longer than to check it.
      resultTypes: ['violations'],
      selectors: false,
      ...(only ? { runOnly: { type: 'rule', values: only } } : {}),
    };
    const { violations, passes } = await axe.run(document, options);
    return { violations, passes: passes.length };
  }, rules);
}
