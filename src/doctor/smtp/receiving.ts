/** Whether mail for organizations' receiving domains arrives here. */
import { mxChecker } from '../../received/mx-check.ts';
import { type MxCheck, receivingNamesOfAll } from '../../received/receiving-names.ts';
import { doctorCheck } from '../doctor-check.ts';
import { type DoctorContext, ofAnswering } from '../doctor-context.ts';
import { counted, type Observation } from '../finding.ts';
import { publicHostName } from '../host/known-host.ts';

interface ReceivingFacts {
  readonly names: readonly { readonly name: string; readonly check: MxCheck }[];
}

/** The receiver checks all domains hourly. */
const MAX_EXAMINED = 50;

export const receivingCheck = doctorCheck({
  name: 'receiving_domains',
  needsDatabase: true,
  needsDns: true,
  matters: 'Mail to addresses of organizations is delivered elsewhere, or not at all.',
  gather: gatherReceiving,
  judge: judgeReceiving,
});

async function gatherReceiving(context: DoctorContext): Promise<ReceivingFacts> {
  const { config, resolver } = context;
  const all = await ofAnswering(context, (cell) => receivingNamesOfAll(cell, MAX_EXAMINED));
  const names = all.flat().slice(0, MAX_EXAMINED);
  const check = mxChecker(resolver, publicHostName(config));
  return { names: await Promise.all(names.map(async (name) => ({ name, check: await check(name) }))) };
}

function judgeReceiving({ names }: ReceivingFacts): Observation[] {
  if (names.length === 0) return [{ level: 'ok', seen: 'No domain receives mail for organizations.' }];
  const wrong = names.filter(({ check }) => check.status !== 'pass');
  if (wrong.length === 0)
    return [
      {
        level: 'ok',
        seen: `Mail for ${counted(names.length, 'receiving domain')} is delivered to this installation.`,
      },
    ];
  return wrong.map(({ name, check }) => {
    if (check.status !== 'fail')
      return { level: 'unknown', seen: `DNS did not answer where mail for ${name} is delivered.` };
    const seen = `Mail for ${name} is not delivered to this installation: its MX records are ${check.found.join(', ') || 'missing'}.`;
    return { level: 'warn', seen, fix: check.message };
  });
}
