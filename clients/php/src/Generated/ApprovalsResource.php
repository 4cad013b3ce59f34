<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * Mail that waits for approval: people decide, who are signed in.
 *
 * @phpstan-import-type Approval from Shapes
 * @phpstan-import-type ApprovalMessage from Shapes
 * @phpstan-import-type ApprovalsListPage from Shapes
 * @phpstan-import-type EmailAttachment from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class ApprovalsResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * List emails that wait for approval, or that were decided.
     *
     * @param array{page?: int|null, limit?: int|null, state?: 'waiting'|'decided'|null} $query
     * @param RequestOptions $options
     * @return ApprovalsListPage
     */
    public function list(array $query = [], array $options = []): array
    {
        return $this->api->answer('GET /approvals', query: [...$query], options: $options);
    }

    /**
     * List emails that wait for approval, or that were decided: all of them, page by page as you read on.
     *
     * @param array{limit?: int|null, state?: 'waiting'|'decided'|null} $query
     * @param RequestOptions $options
     * @return \Generator<int, Approval>
     */
    public function all(array $query = [], array $options = []): \Generator
    {
        return $this->api->pages('GET /approvals', query: [...$query], options: $options);
    }

    /**
     * Get an approval.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Approval
     */
    public function get(string $id, array $options = []): array
    {
        return $this->api->data('GET /approvals/{id}', params: ['id' => $id], options: $options);
    }

    /**
     * Get the complete message that an approval would send.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return ApprovalMessage
     */
    public function message(string $id, array $options = []): array
    {
        return $this->api->data('GET /approvals/{id}/message', params: ['id' => $id], options: $options);
    }

    /**
     * Get one part of a message that waits for approval.
     *
     * @param string $id
     * @param int $number
     * @param RequestOptions $options
     * @return EmailAttachment
     */
    public function part(string $id, int $number, array $options = []): array
    {
        return $this->api->data('GET /approvals/{id}/parts/{number}', params: ['id' => $id, 'number' => $number], options: $options);
    }

    /**
     * Get the source of a message that waits for approval.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return string
     */
    public function raw(string $id, array $options = []): string
    {
        return $this->api->answer('GET /approvals/{id}/raw', params: ['id' => $id], options: $options);
    }
}
