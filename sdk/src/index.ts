/** What the package offers. */
export { Postrider, type PostriderOptions, type ThrowAway } from './client.ts';
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type ErrorCode,
  type FieldProblem,
  NotFoundError,
  PermissionError,
  PostriderError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from './errors.ts';
export type * from './generated/types.gen.ts';
export {
  API_KEY_SCOPES,
  EMAIL_EVENT_TYPES,
  EMAIL_STATES,
  EMAIL_STATUSES,
  ROLES,
  SUPPRESSION_REASONS,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_FORMATS,
} from './generated/values.gen.ts';
export type {
  Answer,
  Body,
  Data,
  Input,
  Item,
  OperationName,
  Params,
  Query,
  RequestOptions,
  SendOptions,
} from './operation.ts';
export type { ReactBody } from './react.ts';
export type { ReceivedMail } from './received-mail.ts';
export type { EmailToSend, MixedBatchToSend } from './resources/emails.ts';
export type { ImportEntry, WaitOptions } from './resources/suppressions.ts';
export type { Fetch } from './transport.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookProblem,
  WebhookVerificationError,
} from './verify-webhook.ts';
export { MailNotReceivedError, type WaitForMailOptions, type WantedMail } from './wait-for-mail.ts';
export type {
  EmailEventData,
  EmailEventType,
  EmailWebhookEvent,
  SuppressionWebhookEvent,
  TestWebhookEvent,
  WebhookEvent,
  WebhookEventType,
} from './webhook-event.ts';
