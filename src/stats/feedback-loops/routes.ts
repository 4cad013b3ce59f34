/** `/feedback-loops`: where to enroll which domains and addresses for complaint reports. */
import { Type } from 'typebox';
import { actorNameOf } from '../../accounts/actor-name.ts';
import type { Reads } from '../../database/reads.ts';
import { isAllowed } from '../../http/access.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { addDetails } from '../../http/audit.ts';
import { dataOf } from '../../http/envelope.ts';
import type { Principal } from '../../http/principal.ts';
import { nullable, strictObject, stringEnum, timestamp } from '../../http/schema.ts';
import { FEEDBACK_LOOPS } from './loops.ts';
import { type Asker, type FeedbackLoopDeps, feedbackLoopsOf, LOOP_STATES, tickOff } from './service.ts';

const NAMES = FEEDBACK_LOOPS.map(({ name }) => name);

/** Schemas of feedback loops. */
const loopParams = Type.Object({
  loop: stringEnum(NAMES, { description: 'Name of the feedback loop.', examples: ['yahoo_cfl'] }),
  subject: Type.String({
    description: 'Domain or IP address that is enrolled.',
    examples: ['sandbox.test'],
  }),
});

const enrolBody = strictObject(
  {
    enrolled: Type.Boolean({
      description:
        'Whether you have enrolled the domain or address with the provider. Postrider cannot find this out itself.',
    }),
  },
  { $id: 'FeedbackLoopEnrolment', examples: [{ enrolled: true }] },
);

const feedbackLoop = Type.Object(
  {
    loop: stringEnum(NAMES),
    title: Type.String(),
    provider: Type.String({ description: 'Name of the provider, as in `GET /stats/deliverability`.' }),
    subject: Type.Object({
      kind: stringEnum(['domain', 'address']),
      value: Type.String({
        description: 'One of your domains, or for operators an IP address that mail is sent from.',
      }),
    }),
    state: stringEnum(LOOP_STATES, {
      description:
        'State of the enrolment. `missing`: not marked as enrolled. `enrolled`: marked as enrolled. `working`: marked as enrolled, and complaints have arrived.',
    }),
    message: Type.String({ description: 'Explanation of the state in words.' }),
    url: Type.String({ description: 'URL of the page on which you enrol.' }),
    steps: Type.Array(Type.String(), { description: 'Steps of the enrolment.' }),
    enrolled_at: nullable(timestamp()),
    enrolled_by: nullable(Type.String()),
    last_complaint_at: nullable(
      timestamp({
        description:
          'Hour of the last complaint that the provider reported in the last 40 days. Null if there was none.',
      }),
    ),
  },
  { $id: 'FeedbackLoop' },
);

const tags = ['Domains'];

export function feedbackLoopRoutes({
  reads,
  ...deps
}: FeedbackLoopDeps & { readonly reads: Reads }): ApiRoutes {
  return async (app) => {
    app.get(
      '/feedback-loops',
      {
        config: { tied: true },
        schema: {
          tags,
          summary: 'List the feedback loops of providers, with the state of your enrolment',
          description:
            'Some providers report complaints ("spam" clicks) to enrolled senders, one by one or as a number. The list has an entry for each of your domains, and for operators also for each IP address that mail is sent from.',
          response: { 200: dataOf(Type.Array(feedbackLoop)) },
        },
      },
      async ({ principal }) => ({
        data: await feedbackLoopsOf(deps, reads.of(principal.organizationId), askerOf(principal)),
      }),
    );

    app.put(
      '/feedback-loops/:loop/:subject',
      {
        config: { tied: true, errors: ['NOT_FOUND'], audit: { action: 'feedback_loop.changed' } },
        schema: {
          tags,
          summary: 'Mark a domain or address as enrolled, or as not enrolled',
          params: loopParams,
          body: enrolBody,
          response: { 200: dataOf(feedbackLoop) },
        },
      },
      async (request) => {
        const { principal, params, body } = request;
        const { loop, subject } = params;
        addDetails(request, { loop, subject, enrolled: body.enrolled });
        const by = await actorNameOf(deps.db, principal.session?.userId ?? principal.keyId ?? '');
        return {
          data: await tickOff(deps, askerOf(principal), by, { loop, subject, enrolled: body.enrolled }),
        };
      },
    );
  };
}

function askerOf(principal: Principal): Asker {
  const { organizationId, domain } = principal;
  return { organizationId, domain, isOperator: isAllowed(principal, { access: 'operator' }, 'POST') };
}
