<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * The organization that the key belongs to.
 *
 * @phpstan-import-type Organization from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class OrganizationResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * Get your organization, its sending limit and the used part of the limit.
     *
     * @param RequestOptions $options
     * @return Organization
     */
    public function get(array $options = []): array
    {
        return $this->api->data('GET /organization', options: $options);
    }
}
