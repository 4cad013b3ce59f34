<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * Mail that you receive.
 *
 * @phpstan-import-type Deleted from Shapes
 * @phpstan-import-type EmailAttachment from Shapes
 * @phpstan-import-type InboundCreateRouteBody from Shapes
 * @phpstan-import-type InboundListPage from Shapes
 * @phpstan-import-type InboundReplyBody from Shapes
 * @phpstan-import-type InboundRoute from Shapes
 * @phpstan-import-type InboundUpdateRouteBody from Shapes
 * @phpstan-import-type ReceivedEmail from Shapes
 * @phpstan-import-type ReceivedEmailItem from Shapes
 * @phpstan-import-type ReceivingDomain from Shapes
 * @phpstan-import-type SendResult from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class InboundResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * List received mail, newest first.
     *
     * @param array{limit?: int|null, cursor?: string|null, route?: string|null, from?: string|null, to?: string|null, conversation?: string|null, search?: string|null} $query
     * @param RequestOptions $options
     * @return InboundListPage
     */
    public function list(array $query = [], array $options = []): array
    {
        return $this->api->answer('GET /inbound', query: [...$query], options: $options);
    }

    /**
     * List received mail, newest first: all of them, page by page as you read on.
     *
     * @param array{limit?: int|null, route?: string|null, from?: string|null, to?: string|null, conversation?: string|null, search?: string|null} $query
     * @param RequestOptions $options
     * @return \Generator<int, ReceivedEmailItem>
     */
    public function all(array $query = [], array $options = []): \Generator
    {
        return $this->api->cursor('GET /inbound', query: [...$query], options: $options);
    }

    /**
     * Get a received mail.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return ReceivedEmail
     */
    public function get(string $id, array $options = []): array
    {
        return $this->api->data('GET /inbound/{id}', params: ['id' => $id], options: $options);
    }

    /**
     * Get one attachment of a received mail.
     *
     * @param string $id
     * @param int $number
     * @param RequestOptions $options
     * @return EmailAttachment
     */
    public function attachment(string $id, int $number, array $options = []): array
    {
        return $this->api->data('GET /inbound/{id}/attachments/{number}', params: ['id' => $id, 'number' => $number], options: $options);
    }

    /**
     * Get the source of a received mail.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return string
     */
    public function raw(string $id, array $options = []): string
    {
        return $this->api->answer('GET /inbound/{id}/raw', params: ['id' => $id], options: $options);
    }

    /**
     * Reply to a received mail.
     *
     * @param string $id
     * @param InboundReplyBody $body
     * @param RequestOptions $options
     * @return SendResult
     */
    public function reply(string $id, array $body = [], array $options = []): array
    {
        return $this->api->data('POST /inbound/{id}/reply', params: ['id' => $id], body: $body, options: $options);
    }

    /**
     * Delete a received mail with all of its content.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Deleted
     */
    public function delete(string $id, array $options = []): array
    {
        return $this->api->data('DELETE /inbound/{id}', params: ['id' => $id], options: $options);
    }

    /**
     * List the domains that you receive mail at.
     *
     * @param RequestOptions $options
     * @return list<ReceivingDomain>
     */
    public function domains(array $options = []): array
    {
        return $this->api->data('GET /inbound/domains', options: $options);
    }

    /**
     * Receive mail at a domain.
     *
     * @param string $domain
     * @param RequestOptions $options
     * @return ReceivingDomain
     */
    public function addDomain(string $domain, array $options = []): array
    {
        return $this->api->data('POST /inbound/domains', body: ['domain' => $domain], options: $options);
    }

    /**
     * Check the MX record of a receiving domain now.
     *
     * @param string $domain
     * @param RequestOptions $options
     * @return ReceivingDomain
     */
    public function verifyDomain(string $domain, array $options = []): array
    {
        return $this->api->data('GET /inbound/domains/{domain}/verify', params: ['domain' => $domain], options: $options);
    }

    /**
     * Stop receiving mail at a domain and delete its routes.
     *
     * @param string $domain
     * @param RequestOptions $options
     * @return Deleted
     */
    public function removeDomain(string $domain, array $options = []): array
    {
        return $this->api->data('DELETE /inbound/domains/{domain}', params: ['domain' => $domain], options: $options);
    }

    /**
     * List the addresses that you receive mail at.
     *
     * @param RequestOptions $options
     * @return list<InboundRoute>
     */
    public function routes(array $options = []): array
    {
        return $this->api->data('GET /inbound/routes', options: $options);
    }

    /**
     * Receive mail at an address.
     *
     * @param InboundCreateRouteBody $body
     * @param RequestOptions $options
     * @return InboundRoute
     */
    public function createRoute(array $body, array $options = []): array
    {
        return $this->api->data('POST /inbound/routes', body: $body, options: $options);
    }

    /**
     * Get a route.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return InboundRoute
     */
    public function getRoute(string $id, array $options = []): array
    {
        return $this->api->data('GET /inbound/routes/{id}', params: ['id' => $id], options: $options);
    }

    /**
     * Change a route.
     *
     * @param string $id
     * @param InboundUpdateRouteBody $body
     * @param RequestOptions $options
     * @return InboundRoute
     */
    public function updateRoute(string $id, array $body, array $options = []): array
    {
        return $this->api->data('PATCH /inbound/routes/{id}', params: ['id' => $id], body: $body, options: $options);
    }

    /**
     * Delete a route.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Deleted
     */
    public function deleteRoute(string $id, array $options = []): array
    {
        return $this->api->data('DELETE /inbound/routes/{id}', params: ['id' => $id], options: $options);
    }
}
