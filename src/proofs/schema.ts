/** The schema of a proof. Entries may have any fields, because `verify-proof` and people read them unchanged. */
import { Type } from 'typebox';
import { timestamp } from '../http/schema.ts';

export const proof = Type.Object(
  {
    version: Type.Literal(1),
    issuer: Type.String({ description: 'The address of the installation.' }),
    issued_at: timestamp(),
    email_id: Type.String(),
    algorithm: Type.Literal('ed25519'),
    public_key: Type.String({ description: 'The key it is signed with: 32 bytes, base64url.' }),
    entries: Type.Array(
      Type.Object({
        hash: Type.String({ description: 'SHA-256 of the hash before it and this entry.' }),
        entry: Type.Unsafe<Record<string, unknown>>({
          type: 'object',
          additionalProperties: true,
          description: 'An `email`, an `event`, an `attempt` or a `report`.',
        }),
      }),
    ),
    signature: Type.String({
      description: 'Over the number of entries and the last hash: 64 bytes, base64url.',
    }),
  },
  { $id: 'Proof' },
);
