import { Type } from 'typebox';
import { nullable, stringEnum } from '../../http/schema.ts';
import { STEPS } from './steps.ts';

export const firstStepsSchema = Type.Object(
  {
    steps: Type.Array(
      Type.Object({
        step: stringEnum(STEPS, {
          description:
            '`first_email`: something was sent. `api_key`: somebody made a key, or uses one. `domain`: a domain of your own is verified. `dmarc`: such a domain has a DMARC record. `webhook`: there is an endpoint. `live`: mail leaves this machine.',
        }),
        done: Type.Boolean(),
        id: nullable(Type.String({ description: 'Of the domain whose records are to be published.' })),
      }),
      { description: 'All of them, in the order most people take.' },
    ),
    smtp: nullable(
      Type.Object(
        {
          host: Type.String(),
          port: Type.Integer(),
          encryption: stringEnum(['none', 'starttls']),
          tls_port: nullable(Type.Integer({ description: 'With TLS from the first byte.' })),
          needs_password: Type.Boolean({ description: 'The password is an API key.' }),
        },
        { description: 'Where applications submit mail over SMTP; null where that is switched off.' },
      ),
    ),
  },
  { $id: 'FirstSteps' },
);
