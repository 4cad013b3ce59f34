import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { checkProof, type Proof, publicKeyOf } from '../proofs/chain.ts';
import { acceptancesIn, wordsOf } from '../proofs/proof-summary.ts';
import {
  CliError,
  type Command,
  type CommandAnswer,
  EXIT_FAILED,
  EXIT_USAGE,
  type Options,
} from './command.ts';

export const verifyProofCommand: Command = {
  name: 'verify-proof',
  isElsewhere: true,
  positionals: ['FILE'],
  optional: { key: 'PUBLIC_KEY', message: 'FILE' },
  summary: 'Verify a proof of the delivery of an email; needs no installation',
  explains: {
    FILE: 'the proof, as the API returns it',
    '--key': 'the public key that must have signed the proof',
    '--message': 'a message to compare with the delivered message',
  },
  example: 'verify-proof proof.json --message message.eml',
  run: async (_world, [file = ''], options) => verifyProof(file, options),
};

async function verifyProof(file: string, { key, message }: Options): Promise<CommandAnswer> {
  if (key !== undefined && publicKeyOf(key) === null)
    throw new CliError('--key must be a public key: 43 characters of base64url.', EXIT_USAGE);
  const checked = checkProof(readProof(file));
  if (!checked.ok) return refused(checked.problem);
  const { proof } = checked;
  if (key !== undefined && key !== proof.public_key)
    return refused(`The proof is signed by another key: ${proof.public_key}.`);
  const about = message === undefined ? null : messageWords(proof, message);
  if (about?.isOther) return refused(about.words);
  return {
    json: {
      valid: true,
      public_key: proof.public_key,
      is_key_known: key !== undefined,
      deliveries: acceptancesIn(proof),
    },
    lines: [
      'The proof is valid.',
      '',
      ...wordsOf(proof),
      ...(about === null ? [] : [about.words]),
      '',
      keyWords(proof, key),
    ],
  };
}

/** Accepts the API's response, or the proof alone. */
function readProof(file: string): unknown {
  let given: unknown;
  try {
    given = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined && !(error instanceof TypeError))
      throw new CliError(`${file} cannot be read: ${(error as Error).message}`);
    return null;
  }
  const isAnswer = typeof given === 'object' && given !== null && Object.keys(given).join() === 'data';
  return isAnswer ? (given as { data: unknown }).data : given;
}

function refused(problem: string): CommandAnswer {
  return {
    json: { valid: false, problem },
    lines: [`The proof is not valid. ${problem}`],
    exitCode: EXIT_FAILED,
  };
}

function messageWords(proof: Proof, file: string): { readonly isOther: boolean; readonly words: string } {
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  const whose = acceptancesIn(proof).filter(({ messageSha256 }) => messageSha256 === sha256);
  if (whose.length === 0)
    return { isOther: true, words: `No server accepted the message in ${file} (SHA-256 ${sha256}).` };
  return {
    isOther: false,
    words: `${file} is the message that was delivered to ${whose.map(({ recipient }) => recipient).join(', ')}.`,
  };
}

function keyWords({ public_key, issuer }: Proof, key: string | undefined): string {
  if (key !== undefined) return `The proof is signed by the key that you gave, ${public_key}.`;
  return `It is signed by ${public_key}. Whether that is a key of ${issuer}, its /.well-known/postrider-proof-keys.json says; then give it as --key.`;
}
