<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * Endpoints of yours that are told what happens, and the log of what they were told.
 *
 * @phpstan-import-type Deleted from Shapes
 * @phpstan-import-type Webhook from Shapes
 * @phpstan-import-type WebhookDelivery from Shapes
 * @phpstan-import-type WebhookDeliveryWithRequest from Shapes
 * @phpstan-import-type WebhookPreview from Shapes
 * @phpstan-import-type WebhookStats from Shapes
 * @phpstan-import-type WebhookWithSecret from Shapes
 * @phpstan-import-type WebhooksCreateBody from Shapes
 * @phpstan-import-type WebhooksDeliveriesPage from Shapes
 * @phpstan-import-type WebhooksReplayRangeBody from Shapes
 * @phpstan-import-type WebhooksReplayRangeData from Shapes
 * @phpstan-import-type WebhooksUpdateBody from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class WebhooksResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * Create a webhook that sends events to a URL.
     *
     * @param WebhooksCreateBody $body
     * @param RequestOptions $options
     * @return WebhookWithSecret
     */
    public function create(array $body, array $options = []): array
    {
        return $this->api->data('POST /webhooks', body: $body, options: $options);
    }

    /**
     * List all webhooks, newest first.
     *
     * @param RequestOptions $options
     * @return list<Webhook>
     */
    public function list(array $options = []): array
    {
        return $this->api->data('GET /webhooks', options: $options);
    }

    /**
     * Get a webhook.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Webhook
     */
    public function get(string $id, array $options = []): array
    {
        return $this->api->data('GET /webhooks/{id}', params: ['id' => $id], options: $options);
    }

    /**
     * Change a webhook, enable or disable it.
     *
     * @param string $id
     * @param WebhooksUpdateBody $body
     * @param RequestOptions $options
     * @return Webhook
     */
    public function update(string $id, array $body, array $options = []): array
    {
        return $this->api->data('PATCH /webhooks/{id}', params: ['id' => $id], body: $body, options: $options);
    }

    /**
     * Delete a webhook with the log of its deliveries.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Deleted
     */
    public function delete(string $id, array $options = []): array
    {
        return $this->api->data('DELETE /webhooks/{id}', params: ['id' => $id], options: $options);
    }

    /**
     * Send a test event to a webhook.
     *
     * @param string $id
     * @param array{type?: 'email.queued'|'email.processing'|'email.held'|'email.delivered'|'email.opened'|'email.clicked'|'email.bounced'|'email.deferred'|'email.failed'|'email.complained'|'email.unsubscribed'|'email.rejected'|'email.received'|'domain.verified'|'domain.failing'|'domain.recovered'|'domain.unverified'|'suppression.added'|'suppression.removed'|'attention.raised'|'attention.cleared'|'canary.stepped'|null} $query
     * @param RequestOptions $options
     * @return WebhookDelivery
     */
    public function sendTest(string $id, array $query = [], array $options = []): array
    {
        return $this->api->data('POST /webhooks/{id}/test', params: ['id' => $id], query: [...$query], options: $options);
    }

    /**
     * Create a new signing secret for a webhook.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return WebhookWithSecret
     */
    public function rotateSecret(string $id, array $options = []): array
    {
        return $this->api->data('POST /webhooks/{id}/rotate-secret', params: ['id' => $id], options: $options);
    }

    /**
     * List the deliveries to a webhook in the last 30 days, newest first.
     *
     * @param string $id
     * @param array{limit?: int|null, cursor?: string|null, status?: 'pending'|'delivered'|'failed'|null} $query
     * @param RequestOptions $options
     * @return WebhooksDeliveriesPage
     */
    public function deliveries(string $id, array $query = [], array $options = []): array
    {
        return $this->api->answer('GET /webhooks/{id}/deliveries', params: ['id' => $id], query: [...$query], options: $options);
    }

    /**
     * List the deliveries to a webhook in the last 30 days, newest first: all of them, page by page as you read on.
     *
     * @param string $id
     * @param array{limit?: int|null, status?: 'pending'|'delivered'|'failed'|null} $query
     * @param RequestOptions $options
     * @return \Generator<int, WebhookDelivery>
     */
    public function allDeliveries(string $id, array $query = [], array $options = []): \Generator
    {
        return $this->api->cursor('GET /webhooks/{id}/deliveries', params: ['id' => $id], query: [...$query], options: $options);
    }

    /**
     * Get a delivery with its request.
     *
     * @param string $id
     * @param string $deliveryId
     * @param RequestOptions $options
     * @return WebhookDeliveryWithRequest
     */
    public function delivery(string $id, string $deliveryId, array $options = []): array
    {
        return $this->api->data('GET /webhooks/{id}/deliveries/{delivery_id}', params: ['id' => $id, 'delivery_id' => $deliveryId], options: $options);
    }

    /**
     * Preview the webhook request for an event.
     *
     * @param string $id
     * @param string $eventId
     * @param array{format?: 'postrider'|'resend'|'sendgrid'|'postmark'|null} $query
     * @param RequestOptions $options
     * @return WebhookPreview
     */
    public function preview(string $id, string $eventId, array $query = [], array $options = []): array
    {
        return $this->api->data('GET /emails/{id}/events/{event_id}/webhook', params: ['id' => $id, 'event_id' => $eventId], query: [...$query], options: $options);
    }

    /**
     * Get the statistics of a webhook.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return WebhookStats
     */
    public function stats(string $id, array $options = []): array
    {
        return $this->api->data('GET /webhooks/{id}/stats', params: ['id' => $id], options: $options);
    }

    /**
     * Resend a delivery with the same webhook-id.
     *
     * @param string $id
     * @param string $deliveryId
     * @param RequestOptions $options
     * @return WebhookDelivery
     */
    public function replay(string $id, string $deliveryId, array $options = []): array
    {
        return $this->api->data('POST /webhooks/{id}/deliveries/{delivery_id}/replay', params: ['id' => $id, 'delivery_id' => $deliveryId], options: $options);
    }

    /**
     * Resend the failed deliveries of a period, or all deliveries.
     *
     * @param string $id
     * @param WebhooksReplayRangeBody $body
     * @param RequestOptions $options
     * @return WebhooksReplayRangeData
     */
    public function replayRange(string $id, array $body, array $options = []): array
    {
        return $this->api->data('POST /webhooks/{id}/replay', params: ['id' => $id], body: $body, options: $options);
    }
}
