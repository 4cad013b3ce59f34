<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * Sending, and what became of it.
 *
 * @phpstan-import-type BatchResult from Shapes
 * @phpstan-import-type BatchStatus from Shapes
 * @phpstan-import-type BulkResult from Shapes
 * @phpstan-import-type DryRun from Shapes
 * @phpstan-import-type DryRunBatch from Shapes
 * @phpstan-import-type DryRunMixed from Shapes
 * @phpstan-import-type Email from Shapes
 * @phpstan-import-type EmailAttachment from Shapes
 * @phpstan-import-type EmailContent from Shapes
 * @phpstan-import-type EmailItem from Shapes
 * @phpstan-import-type EmailsListPage from Shapes
 * @phpstan-import-type EmailsResendBody from Shapes
 * @phpstan-import-type EmailsSendBatchBody from Shapes
 * @phpstan-import-type EmailsSendBody from Shapes
 * @phpstan-import-type EmailsSendMixedBatchBody from Shapes
 * @phpstan-import-type Explanation from Shapes
 * @phpstan-import-type MixedBatchResult from Shapes
 * @phpstan-import-type Proof from Shapes
 * @phpstan-import-type RecipientSuppression from Shapes
 * @phpstan-import-type ResendResults from Shapes
 * @phpstan-import-type SendResult from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class EmailsResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * Send an email.
     *
     * @param EmailsSendBody $body
     * @param RequestOptions $options
     * @return SendResult
     */
    public function send(array $body, array $options = []): array
    {
        return $this->api->data('POST /emails/send', body: $body, options: $options);
    }

    /**
     * Send one template to many recipients.
     *
     * @param EmailsSendBatchBody $body
     * @param RequestOptions $options
     * @return BatchResult
     */
    public function sendBatch(array $body, array $options = []): array
    {
        return $this->api->data('POST /emails/batch', body: $body, options: $options);
    }

    /**
     * Send several different emails.
     *
     * @param EmailsSendMixedBatchBody $body
     * @param RequestOptions $options
     * @return MixedBatchResult
     */
    public function sendMixedBatch(array $body, array $options = []): array
    {
        return $this->api->data('POST /emails/batch/mixed', body: $body, options: $options);
    }

    /**
     * Preview the result of a send.
     *
     * @param EmailsSendBody $body
     * @param array{check_links?: bool|null} $query
     * @param RequestOptions $options
     * @return DryRun
     */
    public function dryRun(array $body, array $query = [], array $options = []): array
    {
        return $this->api->data('POST /emails/send/dry-run', query: [...$query], body: $body, options: $options);
    }

    /**
     * Preview the result of a batch.
     *
     * @param EmailsSendBatchBody $body
     * @param array{check_links?: bool|null} $query
     * @param RequestOptions $options
     * @return DryRunBatch
     */
    public function dryRunBatch(array $body, array $query = [], array $options = []): array
    {
        return $this->api->data('POST /emails/batch/dry-run', query: [...$query], body: $body, options: $options);
    }

    /**
     * Preview the results of several different emails.
     *
     * @param EmailsSendMixedBatchBody $body
     * @param array{check_links?: bool|null} $query
     * @param RequestOptions $options
     * @return DryRunMixed
     */
    public function dryRunMixedBatch(array $body, array $query = [], array $options = []): array
    {
        return $this->api->data('POST /emails/batch/mixed/dry-run', query: [...$query], body: $body, options: $options);
    }

    /**
     * Count the emails of a batch by status.
     *
     * @param string $batchId
     * @param RequestOptions $options
     * @return BatchStatus
     */
    public function getBatch(string $batchId, array $options = []): array
    {
        return $this->api->data('GET /emails/batch/{batch_id}', params: ['batch_id' => $batchId], options: $options);
    }

    /**
     * Get an email and its events.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Email
     */
    public function get(string $id, array $options = []): array
    {
        return $this->api->data('GET /emails/{id}', params: ['id' => $id], options: $options);
    }

    /**
     * Get the content of an email.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return EmailContent
     */
    public function content(string $id, array $options = []): array
    {
        return $this->api->data('GET /emails/{id}/content', params: ['id' => $id], options: $options);
    }

    /**
     * Get one attachment of an email.
     *
     * @param string $id
     * @param int $number
     * @param RequestOptions $options
     * @return EmailAttachment
     */
    public function attachment(string $id, int $number, array $options = []): array
    {
        return $this->api->data('GET /emails/{id}/attachments/{number}', params: ['id' => $id, 'number' => $number], options: $options);
    }

    /**
     * Get the source of an email that was submitted as a complete message.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return string
     */
    public function raw(string $id, array $options = []): string
    {
        return $this->api->answer('GET /emails/{id}/raw', params: ['id' => $id], options: $options);
    }

    /**
     * List the suppressed recipients of an email.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return list<RecipientSuppression>
     */
    public function suppressions(string $id, array $options = []): array
    {
        return $this->api->data('GET /emails/{id}/suppressions', params: ['id' => $id], options: $options);
    }

    /**
     * Explain why an email did or did not arrive.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Explanation
     */
    public function explain(string $id, array $options = []): array
    {
        return $this->api->data('GET /emails/{id}/explain', params: ['id' => $id], options: $options);
    }

    /**
     * Get a signed proof of the delivery of an email.
     *
     * @param string $id
     * @param array{recipient?: string|null} $query
     * @param RequestOptions $options
     * @return Proof
     */
    public function proof(string $id, array $query = [], array $options = []): array
    {
        return $this->api->data('GET /emails/{id}/proof', params: ['id' => $id], query: [...$query], options: $options);
    }

    /**
     * List emails.
     *
     * @param array{page?: int|null, limit?: int|null, status?: string|null, state?: 'scheduled'|'awaiting_approval'|'held'|'retrying'|'partly_delivered'|'withdrawn'|'superseded'|'complained'|null, from_date?: string|null, to_date?: string|null, to?: string|null, from?: string|null, subject?: string|null, batch_id?: string|null, api_key_id?: string|null, search?: string|null, include?: 'addresses'|null, stream?: string|null, tag?: string|null} $query
     * @param RequestOptions $options
     * @return EmailsListPage
     */
    public function list(array $query = [], array $options = []): array
    {
        return $this->api->answer('GET /emails', query: [...$query], options: $options);
    }

    /**
     * List emails: all of them, page by page as you read on.
     *
     * @param array{limit?: int|null, status?: string|null, state?: 'scheduled'|'awaiting_approval'|'held'|'retrying'|'partly_delivered'|'withdrawn'|'superseded'|'complained'|null, from_date?: string|null, to_date?: string|null, to?: string|null, from?: string|null, subject?: string|null, batch_id?: string|null, api_key_id?: string|null, search?: string|null, include?: 'addresses'|null, stream?: string|null, tag?: string|null} $query
     * @param RequestOptions $options
     * @return \Generator<int, EmailItem>
     */
    public function all(array $query = [], array $options = []): \Generator
    {
        return $this->api->pages('GET /emails', query: [...$query], options: $options);
    }

    /**
     * Cancel a scheduled email.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Email
     */
    public function cancel(string $id, array $options = []): array
    {
        return $this->api->data('POST /emails/{id}/cancel', params: ['id' => $id], options: $options);
    }

    /**
     * Reschedule a scheduled email.
     *
     * @param string $id
     * @param \DateTimeInterface|string $scheduledAt
     * @param RequestOptions $options
     * @return Email
     */
    public function reschedule(string $id, \DateTimeInterface|string $scheduledAt, array $options = []): array
    {
        return $this->api->data('PATCH /emails/{id}', params: ['id' => $id], body: ['scheduled_at' => $scheduledAt], options: $options);
    }

    /**
     * Retry an email now.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Email
     */
    public function retry(string $id, array $options = []): array
    {
        return $this->api->data('POST /emails/{id}/retry', params: ['id' => $id], options: $options);
    }

    /**
     * Send an email again as a new email.
     *
     * @param string $id
     * @param EmailsResendBody $body
     * @param RequestOptions $options
     * @return SendResult
     */
    public function resend(string $id, array $body = [], array $options = []): array
    {
        return $this->api->data('POST /emails/{id}/resend', params: ['id' => $id], body: $body, options: $options);
    }

    /**
     * Cancel several scheduled emails.
     *
     * @param list<string> $ids
     * @param RequestOptions $options
     * @return BulkResult
     */
    public function cancelMany(array $ids, array $options = []): array
    {
        return $this->api->data('POST /emails/cancel', body: ['ids' => $ids], options: $options);
    }

    /**
     * Retry several emails now.
     *
     * @param list<string> $ids
     * @param RequestOptions $options
     * @return BulkResult
     */
    public function retryMany(array $ids, array $options = []): array
    {
        return $this->api->data('POST /emails/retry', body: ['ids' => $ids], options: $options);
    }

    /**
     * Send several emails again.
     *
     * @param list<string> $ids
     * @param RequestOptions $options
     * @return ResendResults
     */
    public function resendMany(array $ids, array $options = []): array
    {
        return $this->api->data('POST /emails/resend', body: ['ids' => $ids], options: $options);
    }
}
