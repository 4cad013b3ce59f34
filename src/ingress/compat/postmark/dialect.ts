/** The parts of Postmark's API that its client libraries use. */

import type { Database } from '../../../database/database.ts';
import { createDraftOf, withTemplateSubject } from '../../../emails/http/send-request.ts';
import type { EmailService } from '../../../emails/service.ts';
import type { Dialect } from '../../../http/dialect.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Config } from '../../../runtime/config.ts';
import type { SubmissionDeps } from '../../../submission/submit.ts';
import type { SuppressionDeps } from '../../../suppressions/service.ts';
import { TemplateNumbers } from '../../../templates/number.ts';
import type { TemplateService } from '../../../templates/service.ts';
import { routePostmarkBounces } from './bounce-routes.ts';
import { POSTMARK_PREFIX, postmarkToken, writePostmarkError } from './error-answer.ts';
import { routePostmarkMessages, routePostmarkOpens } from './message-routes.ts';
import { routePostmarkSending } from './send-routes.ts';
import { routePostmarkServer } from './server-routes.ts';
import { routePostmarkSuppressions } from './suppression-routes.ts';
import { routePostmarkTemplates } from './template-routes.ts';

interface PostmarkDeps {
  readonly config: Pick<Config, 'mode' | 'publicUrl'>;
  readonly db: Database;
  readonly clock: Clock;
  readonly submission: SubmissionDeps;
  readonly emails: EmailService;
  readonly templates: TemplateService;
  readonly suppressions: SuppressionDeps;
}

export function createPostmarkDialect(deps: PostmarkDeps): Dialect {
  const { db, clock, suppressions, submission } = deps;
  const { reads } = suppressions;
  const { openTracking, clickTracking } = submission;
  const parts = {
    ...deps,
    reads,
    openTracking,
    clickTracking,
    numbers: new TemplateNumbers(db),
    draftOf: withTemplateSubject(createDraftOf(clock)),
  };
  return {
    prefix: POSTMARK_PREFIX,
    tokenOf: postmarkToken,
    writeError: writePostmarkError,
    routes: (app) => {
      routePostmarkSending(app, parts);
      routePostmarkMessages(app, parts);
      routePostmarkOpens(app, parts);
      routePostmarkBounces(app, suppressions);
      routePostmarkSuppressions(app, suppressions);
      routePostmarkTemplates(app, parts);
      routePostmarkServer(app, parts);
    },
  };
}
