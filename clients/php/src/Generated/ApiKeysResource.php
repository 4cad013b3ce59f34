<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * API keys.
 *
 * @phpstan-import-type ApiKey from Shapes
 * @phpstan-import-type ApiKeyUsage from Shapes
 * @phpstan-import-type ApiKeysCreateBody from Shapes
 * @phpstan-import-type ApiKeysListPage from Shapes
 * @phpstan-import-type ApiKeysRevokeData from Shapes
 * @phpstan-import-type ApiKeysRotateBody from Shapes
 * @phpstan-import-type ApiKeysUpdateBody from Shapes
 * @phpstan-import-type CreatedApiKey from Shapes
 * @phpstan-import-type RotatedApiKey from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class ApiKeysResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * List API keys, newest first, including revoked ones.
     *
     * @param array{page?: int|null, limit?: int|null} $query
     * @param RequestOptions $options
     * @return ApiKeysListPage
     */
    public function list(array $query = [], array $options = []): array
    {
        return $this->api->answer('GET /api-keys', query: [...$query], options: $options);
    }

    /**
     * List API keys, newest first, including revoked ones: all of them, page by page as you read on.
     *
     * @param array{limit?: int|null} $query
     * @param RequestOptions $options
     * @return \Generator<int, ApiKey>
     */
    public function all(array $query = [], array $options = []): \Generator
    {
        return $this->api->pages('GET /api-keys', query: [...$query], options: $options);
    }

    /**
     * Create an API key.
     *
     * @param ApiKeysCreateBody $body
     * @param RequestOptions $options
     * @return CreatedApiKey
     */
    public function create(array $body, array $options = []): array
    {
        return $this->api->data('POST /api-keys', body: $body, options: $options);
    }

    /**
     * Get the calling API key.
     *
     * @param RequestOptions $options
     * @return ApiKey
     */
    public function current(array $options = []): array
    {
        return $this->api->data('GET /api-keys/current', options: $options);
    }

    /**
     * Change the policy of an API key.
     *
     * @param string $id
     * @param ApiKeysUpdateBody $body
     * @param RequestOptions $options
     * @return ApiKey
     */
    public function update(string $id, array $body, array $options = []): array
    {
        return $this->api->data('PATCH /api-keys/{id}', params: ['id' => $id], body: $body, options: $options);
    }

    /**
     * Revoke an API key.
     *
     * @param string $id
     * @param array{mail?: 'leave'|'hold'|'withdraw'|null} $query
     * @param RequestOptions $options
     * @return ApiKeysRevokeData
     */
    public function revoke(string $id, array $query = [], array $options = []): array
    {
        return $this->api->data('DELETE /api-keys/{id}', params: ['id' => $id], query: [...$query], options: $options);
    }

    /**
     * Rotate an API key.
     *
     * @param string $id
     * @param ApiKeysRotateBody $body
     * @param RequestOptions $options
     * @return RotatedApiKey
     */
    public function rotate(string $id, array $body = [], array $options = []): array
    {
        return $this->api->data('POST /api-keys/{id}/rotate', params: ['id' => $id], body: $body, options: $options);
    }

    /**
     * Get the daily usage of an API key.
     *
     * @param string $id
     * @param array{days?: int|null} $query
     * @param RequestOptions $options
     * @return ApiKeyUsage
     */
    public function usage(string $id, array $query = [], array $options = []): array
    {
        return $this->api->data('GET /api-keys/{id}/usage', params: ['id' => $id], query: [...$query], options: $options);
    }
}
