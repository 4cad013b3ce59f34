/** Lists that tenants upload, and records that strangers publish about their domains. */

import { parseName } from '../../src/accounts/api-keys/validate-key.ts';
import { passwordProblem } from '../../src/accounts/users/password-rules.ts';
import { reportDestinations } from '../../src/delivery/tls/report-record.ts';
import { judgeDkim } from '../../src/domains/dkim-record.ts';
import { readDmarc } from '../../src/domains/dmarc.ts';
import { parseDomainName } from '../../src/domains/name.ts';
import { organizationNameProblem } from '../../src/organizations/service.ts';
import { parsePolicy, policyId } from '../../src/protocols/dns/mta-sts-policy.ts';
import { expandSpec } from '../../src/protocols/dns/spf-check-host.ts';
import { parseSpf } from '../../src/protocols/dns/spf-record.ts';
import { parseAddress } from '../../src/protocols/message/address.ts';
import { MAX_HEADER_BYTES } from '../../src/protocols/message/reading/header-block.ts';
import { readRecipientPattern } from '../../src/protocols/message/recipient-pattern.ts';
import type { PolicyInForce } from '../../src/runtime/permissions.ts';
import type { Draft } from '../../src/submission/draft.ts';
import { policyGate } from '../../src/submission/gates/policy.ts';
import { countListed, readList, renameInList } from '../../src/suppressions/import-list.ts';
import { repeated } from './shapes.ts';
import type { Subject } from './subject.ts';

const MEBIBYTE = 1024 * 1024;
/** As long as an answer of DNS can be. */
const RECORD_BYTES = 64 * 1024;

async function readWhole(text: string): Promise<void> {
  for await (const read of readList(text, 'csv')) read();
}

const gone = parseAddress('gone@example.org');

/** A policy with as many recipients as one may have. */
const policy = {
  recipients: Array.from({ length: 1_000 }, (_, index) => `*.a${index}.example`),
  from: null,
  templates: null,
  attachments: true,
} as unknown as PolicyInForce;

/** A whole message with that header, and nothing else that a policy is asked about. */
function draftWith(header: Buffer): Draft {
  const none = { to: [], cc: [], bcc: [], replyTo: [], attachments: [], headers: null, collapseKey: null };
  const from = { address: gone, name: null };
  return { ...none, from, content: { kind: 'mime', mime: header } } as unknown as Draft;
}

export const recordSubjects: readonly Subject[] = [
  {
    name: 'An uploaded list of suppressions',
    limitBytes: 20 * MEBIBYTE,
    // It is read line by line: 20 MiB of short lines took two minutes of processor time, in slices no longer than those of 1 MiB.
    commonBytes: MEBIBYTE,
    run: async (input) => {
      const text = input.toString('latin1');
      await countListed(text, 'csv', 100_000);
      await readWhole(text);
      if (gone.ok) await renameInList(text, 'csv', gone.key, 'x');
    },
    shapes: {
      'lines between quotes': repeated('\n', '"', '"'),
      'lines of two hundred cells': repeated(`${'"a",'.repeat(199)}a\n`),
      'addresses that are not ASCII': (bytes) =>
        repeated('\u00e9@\u00e9.example\n')(Math.min(bytes, 2 * MEBIBYTE)),
    },
    whole: ['nothing but double quotes', 'nothing but spaces', 'one long word'],
  },
  {
    name: 'Records that a domain publishes',
    limitBytes: RECORD_BYTES,
    run: (input) => {
      const text = input.toString('latin1');
      judgeDkim([text], Buffer.alloc(1));
      judgeDkim([`p=${text}`], Buffer.alloc(1));
      parseSpf(`v=spf1 ${text}`);
      expandSpec(text, {
        address: '192.0.2.1',
        sender: 'a@b.example',
        domain: 'b.example',
        helo: 'c.example',
      });
      reportDestinations([`v=TLSRPTv1; rua=${text}`]);
      policyId([`v=STSv1; ${text}`]);
      return readDmarc({ kind: 'found', records: [`v=DMARC1; p=none; ${text}`] }, 'b.example', 'b.example');
    },
  },
  {
    name: 'An MTA-STS policy',
    limitBytes: RECORD_BYTES,
    run: (input) => parsePolicy(input.toString('latin1')),
    shapes: { 'spaces behind a value': repeated(' ', 'mx: a', 'b') },
  },
  {
    name: 'The header of a message that the policy of a key is asked about',
    limitBytes: MAX_HEADER_BYTES - 100,
    run: (input) => policyGate(policy, draftWith(input)),
    shapes: {
      'recipients that the policy has': repeated('b@b.a7.example,\r\n ', 'To: ', 'b@b.a7.example\r\n\r\n'),
    },
    whole: ['recipients that the policy has'],
  },
  {
    name: 'Names and addresses of a request',
    limitBytes: 2 * MEBIBYTE,
    run: (input) => {
      const text = input.toString('latin1');
      passwordProblem(text, 'a@b.example');
      parseName(text);
      organizationNameProblem(text);
      parseDomainName(text);
      readRecipientPattern(text);
      return parseAddress(text);
    },
    whole: ['nothing but CRLF', 'combining marks'],
  },
];
