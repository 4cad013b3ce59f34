<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * Requests that were made with the keys of the organization.
 *
 * @phpstan-import-type RequestLogEntry from Shapes
 * @phpstan-import-type RequestLogsListPage from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class RequestLogsResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * List refused requests, newest first.
     *
     * @param array{page?: int|null, limit?: int|null, status?: int|null, code?: 'VALIDATION_ERROR'|'DOMAIN_NOT_VERIFIED'|'RECIPIENTS_SUPPRESSED'|'RECIPIENTS_REJECTED'|'UNAUTHORIZED'|'TOTP_REQUIRED'|'FORBIDDEN'|'HOST_NOT_ALLOWED'|'SETUP_TOKEN_REQUIRED'|'NOT_FOUND'|'METHOD_NOT_ALLOWED'|'REQUEST_TIMEOUT'|'CONFLICT'|'IDEMPOTENCY_CONFLICT'|'PAYLOAD_TOO_LARGE'|'UNSUPPORTED_MEDIA_TYPE'|'EXPECTATION_FAILED'|'LIMIT_EXCEEDED'|'RATE_LIMITED'|'HEADERS_TOO_LARGE'|'INTERNAL_ERROR'|'UNAVAILABLE'|null, path?: string|null, key_id?: string|null, recipient?: string|null, request_id?: string|null, from_date?: string|null, to_date?: string|null} $query
     * @param RequestOptions $options
     * @return RequestLogsListPage
     */
    public function list(array $query = [], array $options = []): array
    {
        return $this->api->answer('GET /request-logs', query: [...$query], options: $options);
    }

    /**
     * List refused requests, newest first: all of them, page by page as you read on.
     *
     * @param array{limit?: int|null, status?: int|null, code?: 'VALIDATION_ERROR'|'DOMAIN_NOT_VERIFIED'|'RECIPIENTS_SUPPRESSED'|'RECIPIENTS_REJECTED'|'UNAUTHORIZED'|'TOTP_REQUIRED'|'FORBIDDEN'|'HOST_NOT_ALLOWED'|'SETUP_TOKEN_REQUIRED'|'NOT_FOUND'|'METHOD_NOT_ALLOWED'|'REQUEST_TIMEOUT'|'CONFLICT'|'IDEMPOTENCY_CONFLICT'|'PAYLOAD_TOO_LARGE'|'UNSUPPORTED_MEDIA_TYPE'|'EXPECTATION_FAILED'|'LIMIT_EXCEEDED'|'RATE_LIMITED'|'HEADERS_TOO_LARGE'|'INTERNAL_ERROR'|'UNAVAILABLE'|null, path?: string|null, key_id?: string|null, recipient?: string|null, request_id?: string|null, from_date?: string|null, to_date?: string|null} $query
     * @param RequestOptions $options
     * @return \Generator<int, RequestLogEntry>
     */
    public function all(array $query = [], array $options = []): \Generator
    {
        return $this->api->pages('GET /request-logs', query: [...$query], options: $options);
    }

    /**
     * Get a refused request.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return RequestLogEntry
     */
    public function get(string $id, array $options = []): array
    {
        return $this->api->data('GET /request-logs/{id}', params: ['id' => $id], options: $options);
    }
}
