/** The routes of the API, with their services. */
import { keyPolicyRoutes } from '../accounts/api-keys/policy-routes.ts';
import { keyLifeRoutes } from '../accounts/api-keys/rotation-routes.ts';
import { apiKeyRoutes } from '../accounts/api-keys/routes.ts';
import { newOrganizationRoutes } from '../accounts/members/new-organization-routes.ts';
import type { Reads } from '../database/reads.ts';
import { adviceOn } from '../delivery/policy/advice.ts';
import { createSiteViews } from '../delivery/scheduler/site-views.ts';
import { createTransportHealthSource } from '../delivery/scheduler/transport-health.ts';
import { createFixedRouter, type Router } from '../delivery/transports/router.ts';
import { doctorRoutes } from '../doctor/routes.ts';
import { domainExportRoutes } from '../domains/export/routes.ts';
import { domainReportRoutes } from '../domains/reports/routes.ts';
import { ReturnPathHosts } from '../domains/return-path-host.ts';
import { domainRoutes } from '../domains/routes.ts';
import { sendingAddresses } from '../domains/senders.ts';
import { DomainSigningKeys } from '../domains/signing-keys.ts';
import type { ForecastDestination, ForecastFactsDeps } from '../dry-run/recipient-facts.ts';
import { bulkEmailRoutes } from '../emails/http/bulk-routes.ts';
import type { DryRunDeps } from '../emails/http/dry-run-answer.ts';
import { dryRunRoutes } from '../emails/http/dry-run-routes.ts';
import { eventRoutes } from '../emails/http/event-routes.ts';
import { mixedRoutes } from '../emails/http/mixed-routes.ts';
import { recentSendRoutes } from '../emails/http/recent-sends-routes.ts';
import { receivedReplyRoutes } from '../emails/http/reply-routes.ts';
import { resendRoutes } from '../emails/http/resend-routes.ts';
import { emailRoutes } from '../emails/http/routes.ts';
import { emailSuppressionRoutes } from '../emails/http/suppression-routes.ts';
import { erasureRoutes } from '../erasure/routes.ts';
import { changeRoutes } from '../events/change-routes.ts';
import { EventChanges } from '../events/changes.ts';
import { liveEventRoutes } from '../events/live-routes.ts';
import { EventTail } from '../events/tail.ts';
import { explainRoutes } from '../explain/routes.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import { approvalMessageRoutes } from '../interventions/approvals/message-routes.ts';
import { approvalRoutes } from '../interventions/approvals/routes.ts';
import { keyRevocationRoutes } from '../interventions/holds/revoke-routes.ts';
import { holdRoutes } from '../interventions/holds/routes.ts';
import { undoRoutes } from '../interventions/undos/routes.ts';
import { LinkChecks } from '../message-checks/check-links.ts';
import { organizationRoutes } from '../organizations/routes.ts';
import { settingsRoutes } from '../organizations/settings/routes.ts';
import { liveWorkers } from '../outbox/lease.ts';
import { ProofKeys } from '../proofs/proof-keys.ts';
import { proofRoutes } from '../proofs/routes.ts';
import type { Address } from '../protocols/message/address.ts';
import type { SmtpFacts } from '../protocols/smtp/facts.ts';
import { receivingRoutes } from '../received/receiving-routes.ts';
import { receivedRoutes } from '../received/routes.ts';
import { requestLogRoutes } from '../request-logs/routes.ts';
import { routingRoutes } from '../routing/routes.ts';
import { readTable } from '../routing/store.ts';
import { trackingProblem } from '../runtime/public-url.ts';
import { InboxWaits } from '../sandbox/inbox-waits.ts';
import { SANDBOX_MX_HOST } from '../sandbox/receiver.ts';
import { createRecipientActions, createSampleSender } from '../sandbox/return-mail.ts';
import { sandboxRoutes } from '../sandbox/routes.ts';
import { behaviorFor } from '../sandbox/simulator.ts';
import { throwAwayRoutes } from '../sandbox/throw-away-routes.ts';
import { waitingRoutes } from '../sandbox/waiting-routes.ts';
import { searchRoutes } from '../search/routes.ts';
import { siteRoutes } from '../sites/routes.ts';
import { deliverabilityRoutes } from '../stats/deliverability-routes.ts';
import { feedbackLoopRoutes } from '../stats/feedback-loops/routes.ts';
import { firstStepsRoutes } from '../stats/first-steps/routes.ts';
import { statsRoutes } from '../stats/routes.ts';
import { streamRoutes } from '../streams/routes.ts';
import { suppressionRoutes } from '../suppressions/routes.ts';
import { templateCheckRoutes } from '../templates/check-routes.ts';
import { templateDraftRoutes } from '../templates/draft-routes.ts';
import { TemplateDrafts } from '../templates/draft-service.ts';
import { templateRoutes } from '../templates/routes.ts';
import { validationRoutes } from '../validation/routes.ts';
import { viewRoutes } from '../views/routes.ts';
import { webhookDeliveryRoutes } from '../webhooks/endpoints/delivery-routes.ts';
import { webhookPreviewRoutes, webhookRoutes } from '../webhooks/endpoints/routes.ts';
import { accountSlices } from './accounts.ts';
import type { ApiDeps, ApiParts } from './api-parts.ts';
import type { ApiServices } from './api-services.ts';
import { createDoctorReports } from './doctor-runs.ts';
import { eraseCopies } from './erase-copies.ts';
import { createLiveRouter } from './live-router.ts';
import { createOutgoing } from './outgoing.ts';
import { outsideProbe } from './outside-urls.ts';
import { packageVersion } from './package-version.ts';
import { createReceivedMail, createReceiving } from './receiving.ts';
import { createRouteEditing } from './route-editing.ts';
import { createTlsPolicies } from './tls-reporting.ts';
import { describeRequests } from './webhook-dispatching.ts';

/** All slices of our own API. */
export function apiSlices(deps: ApiDeps, parts: ApiParts, services: ApiServices): ApiRoutes[] {
  const { config, db, clock, log } = deps;
  const { validation, reads, erased, ring } = parts;
  const dryRun = createDryRuns(deps, parts, services);
  return [
    organizationRoutes(deps),
    newOrganizationRoutes(deps),
    ...keySlices(deps, parts),
    statsRoutes({ reads, clock, config, board: createSiteViews(clock) }),
    firstStepsRoutes({ reads, config }),
    deliverabilityRoutes({ reads, clock }),
    siteRoutes({ db, reads, board: createSiteViews(clock) }),
    ...domainSlices(deps, parts, services),
    feedbackLoops(deps, parts),
    receivingRoutes(createReceiving(deps, parts), config.hostname.toLowerCase()),
    receivedRoutes(createReceivedMail(deps, ring)),
    receivedReplyRoutes({
      ...{ db, clock, mail: createReceivedMail(deps, ring) },
      submission: services.accepting.submission,
    }),
    suppressionRoutes(services.suppressions),
    streamRoutes(deps),
    viewRoutes(deps),
    ...templateSlices(deps, services),
    ...emailSlices(deps, parts, services, dryRun),
    validationRoutes(validation),
    settingsRoutes({ db, clock, settings: services.settings, trackingProblem: trackingProblem(config) }),
    webhookRoutes(services.webhooks),
    webhookDeliveryRoutes(services.webhookDeliveries),
    webhookPreviewRoutes(describeRequests({ ...deps, ring })),
    holdRoutes({ db, reads }),
    ...approvalSlices(deps, parts, services, dryRun),
    undoRoutes({ db, reads, nowMs: () => clock.nowMs() }),
    eventRoutes({ db, reads }),
    requestLogRoutes(reads),
    liveEventRoutes(createTail(deps, reads)),
    changeRoutes(new EventChanges({ db, log, nowMs: () => clock.nowMs() })),
    erasureRoutes({ db, reads, erased, eraseCopies, moved: services.moved, nowMs: () => clock.nowMs() }),
    // Read at the start: an upgrade may replace the files of the running program.
    doctorRoutes(createDoctorReports(deps), packageVersion()),
    routingRoutes(createRouteEditing(deps, ring, validation.resolver)),
    ...sandboxSlices(deps, parts, services),
  ];
}

function keySlices(deps: ApiDeps, { reads }: ApiParts): ApiRoutes[] {
  const revoking = keyRevocationRoutes({ ...deps, reads });
  return [apiKeyRoutes(deps), revoking, keyLifeRoutes(deps), keyPolicyRoutes(deps)];
}

function domainSlices(
  { config, clock }: ApiDeps,
  { reads }: ApiParts,
  { domains }: ApiServices,
): ApiRoutes[] {
  return [
    domainExportRoutes(domains),
    domainRoutes(domains),
    domainReportRoutes({ reads, clock, domains, addresses: config.sendingAddresses ?? [] }),
  ];
}

function templateSlices(deps: ApiDeps, { templates, moved }: ApiServices): ApiRoutes[] {
  return [
    templateRoutes(templates),
    templateDraftRoutes(new TemplateDrafts(deps)),
    recentSendRoutes(deps.db, moved, templates),
  ];
}

function approvalSlices(
  { db, clock }: ApiDeps,
  { reads }: ApiParts,
  { accepting: { templates, wake } }: ApiServices,
  { forecast: { outgoing } }: DryRunDeps,
): ApiRoutes[] {
  return [approvalRoutes({ db, reads, clock, wake }), approvalMessageRoutes({ db, templates, outgoing })];
}

function feedbackLoops({ config, db, clock }: ApiDeps, { reads, validation }: ApiParts): ApiRoutes {
  const addresses = async () =>
    config.mode === 'live' ? sendingAddresses(validation.resolver, config) : (config.sendingAddresses ?? []);
  return feedbackLoopRoutes({ db, clock, reads, addresses, reportsTo: `fbl@${config.hostname}` });
}

function sandboxSlices(
  { config, db, clock }: ApiDeps,
  { checking }: ApiParts,
  { domains }: ApiServices,
): ApiRoutes[] {
  if (config.mode !== 'sandbox') return [];
  const names = { lookUp: checking.txtLookups(), host: checking.host };
  return [
    throwAwayRoutes({ db, clock }),
    waitingRoutes({ db, names, waits: new InboxWaits({ db, clock }) }),
    sandboxRoutes({
      db,
      names,
      linkChecks: new LinkChecks({ probe: outsideProbe(config, clock), clock }),
      actions: createRecipientActions({ config, clock }),
      sendSamples: createSampleSender({ config, clock }, domains),
    }),
  ];
}

function createTail({ db, log, clock }: ApiDeps, reads: Reads): EventTail {
  return new EventTail({ db, log, nowMs: () => clock.nowMs(), past: (id) => reads.of(id) });
}

function emailSlices(deps: ApiDeps, parts: ApiParts, services: ApiServices, dryRun: DryRunDeps): ApiRoutes[] {
  const { people, ring, reads } = parts;
  const { emails: service, accepting, moved, suppressions } = services;
  const { config, db, clock } = deps;
  const { submission, lifetimeMs, wake } = accepting;
  return [
    emailRoutes({ service, submission, dryRun, db, clock, templates: services.templates }),
    mixedRoutes({ submission, dryRun, db, clock }),
    emailSuppressionRoutes(service, services.suppressions),
    bulkEmailRoutes(service),
    resendRoutes({ db, service, submission, mode: config.mode, templates: accepting.templates }),
    dryRunRoutes({ dryRun, clock }),
    templateCheckRoutes({ service: services.templates, links: dryRun.links }),
    explainRoutes({
      service,
      db,
      clock,
      mode: config.mode,
      lifetimeMs,
      moved,
      wake,
      advise: adviceOn,
      board: createSiteViews(clock, { isRouted: config.mode === 'live' }),
    }),
    searchRoutes({
      reads,
      hash: suppressions.hash,
      meaningOf: (reason) => adviceOn(reason)?.meaning ?? null,
    }),
    proofRoutes({ db, clock, service, keys: new ProofKeys(ring), publicUrl: config.publicUrl }),
    ...accountSlices({ ...deps, ring, reads }, people, submission),
  ];
}

/** Assembles dry runs. */
function createDryRuns(deps: ApiDeps, parts: ApiParts, services: ApiServices): DryRunDeps {
  const { config, db, clock } = deps;
  const { checking, validation, ring, erased } = parts;
  const { resolver, dane } = validation;
  const { submission, templates } = services.accepting;
  const isLive = config.mode === 'live';
  const returnPathHosts = isLive
    ? new ReturnPathHosts({ resolver, clock, host: config.hostname })
    : undefined;
  const keys = new DomainSigningKeys({ db, clock, keys: checking.keys });
  return {
    links: new LinkChecks({ probe: outsideProbe(config, clock), clock }),
    forecast: {
      ...{ db, clock, submission, templates, validation, mode: config.mode, readTable },
      hash: (address) => erased.keyOf(address),
      outgoing: createOutgoing({ config, db, ring, keys, returnPathHosts }),
      names: () => ({ lookUp: checking.txtLookups(), host: checking.host }),
      board: createTransportHealthSource(clock),
      isWorkerRunning: async (sql) => (await liveWorkers(sql)).length > 0,
      destinationOf: destinationsBy(
        isLive
          ? createLiveRouter({ ...deps, resolver, tls: createTlsPolicies({ ...deps, resolver, dane }) })
          : sandboxRouter(config.hostname),
      ),
      scripted: isLive ? () => null : scriptOf,
    },
  };
}

/** Resolves destinations only, and opens no connection. */
function sandboxRouter(ehloName: string): Router {
  return createFixedRouter({ host: SANDBOX_MX_HOST, address: '', port: 0, tls: 'never', ehloName });
}

function destinationsBy(router: Router): ForecastFactsDeps['destinationOf'] {
  return async (domain): Promise<ForecastDestination> => {
    const [home, route] = await Promise.all([router.site(domain), router.route(domain)]);
    const { name: site, provider } = (await router.recipientSite?.(domain)) ?? home;
    const where = { site, provider, home: home.name };
    if (route.kind === 'unroutable') return { ...where, problem: route, hops: [] };
    return { ...where, problem: null, hops: route.hops };
  };
}

/** The simulator's reply follows from the address. */
function scriptOf({ email }: Address): SmtpFacts | null {
  const behavior = behaviorFor(email);
  if (behavior.kind === 'accept') return null;
  const session = { host: SANDBOX_MX_HOST, address: '', port: 0, tls: null, reused: false, transcript: [] };
  return { kind: 'refused', phase: 'rcpt', reply: behavior.reply, ...session };
}
