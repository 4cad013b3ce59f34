/** How long the dearest templates and data hold the loop: nobody else is answered meanwhile. */
import { HOSTILE_CASES, HOSTILE_SOURCES, type HostileCase } from '../test/support/hostile-templates.ts';
import type { BenchResult, Progress, Size } from './support/bench.ts';
import { built } from './support/built.ts';
import { median } from './support/measure.ts';
import { number } from './support/table.ts';

export const title = 'The dearest templates and data that pass the limits';
export const claim =
  'no render, preview, check of data or compiling of a part takes more than 50 ms of one core';

const LIMIT_MS = 50;
const SIZES = { full: { rounds: 9 }, smoke: { rounds: 1 } };
const SHOWN = 20;

interface Cost {
  readonly name: string;
  readonly what: string;
  readonly medianMs: number;
  readonly worstMs: number;
}

export async function run(progress: Progress, size: Size): Promise<BenchResult> {
  const { rounds } = SIZES[size];
  const kit = await load();
  progress('rendering');
  const renders = HOSTILE_CASES.flatMap((one) => costsOf(one, kit, rounds));
  progress('compiling');
  const compiles = HOSTILE_SOURCES.map(([name, source]) =>
    measure(name, 'compile a part', rounds, () => kit.compilePart('html', source)),
  );
  const costs = [...renders, ...compiles].sort((a, b) => b.medianMs - a.medianMs);
  const dearest = costs[0] as Cost;
  return {
    ratio: LIMIT_MS / dearest.medianMs,
    target: 1,
    table: {
      columns: ['template and data', 'what', 'median ms', 'worst ms'],
      rows: costs
        .slice(0, SHOWN)
        .map(({ name, what, medianMs, worstMs }) => [name, what, number(medianMs, 1), number(worstMs, 1)]),
    },
    figures: {
      dearest_ms: Number(dearest.medianMs.toFixed(1)),
      dearest: `${dearest.what}: ${dearest.name}`,
      measured: costs.length,
      rounds,
    },
  };
}

async function load() {
  const [template, render, schema] = await Promise.all([
    built<typeof import('../src/template-language/template.ts')>('template-language/template'),
    built<typeof import('../src/template-language/render.ts')>('template-language/render'),
    built<typeof import('../src/template-language/apply-schema.ts')>('template-language/apply-schema'),
  ]);
  return { ...template, ...render, ...schema };
}

function costsOf(
  { name, source, data, schema = [] }: HostileCase,
  kit: Awaited<ReturnType<typeof load>>,
  rounds: number,
) {
  const compiled = kit.compileTemplate(source);
  if (!compiled.ok) throw new Error(`${name}: ${compiled.errors[0]?.message}`);
  if (kit.dataProblem(data) !== null) throw new Error(`${name}: the data is refused, which costs nothing`);
  const { template } = compiled;
  return [
    measure(name, 'render', rounds, () => kit.renderContent(template, data)),
    measure(name, 'preview', rounds, () => kit.renderTemplate(template, data)),
    measure(name, 'find the variables', rounds, () => kit.detectVariables(template)),
    measure(name, 'check the data, apply the rules', rounds, () => [
      kit.dataProblem(data),
      kit.applyVariableSchema(schema, data),
    ]),
  ];
}

/** Time of the processor: what others do on the machine is not the template's fault. */
function measure(name: string, what: string, rounds: number, work: () => unknown): Cost {
  const times: number[] = [];
  for (let i = 0; i < rounds; i += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return { name, what, medianMs: median(times), worstMs: Math.max(...times) };
}
