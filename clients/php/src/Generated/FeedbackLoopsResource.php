<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * Where providers tell who complained.
 *
 * @phpstan-import-type FeedbackLoop from Shapes
 * @phpstan-import-type FeedbackLoopsUpdateBody from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class FeedbackLoopsResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * List the feedback loops of providers, with the state of your enrolment.
     *
     * @param RequestOptions $options
     * @return list<FeedbackLoop>
     */
    public function list(array $options = []): array
    {
        return $this->api->data('GET /feedback-loops', options: $options);
    }

    /**
     * Mark a domain or address as enrolled, or as not enrolled.
     *
     * @param string $loop
     * @param string $subject
     * @param FeedbackLoopsUpdateBody $body
     * @param RequestOptions $options
     * @return FeedbackLoop
     */
    public function update(string $loop, string $subject, array $body, array $options = []): array
    {
        return $this->api->data('PUT /feedback-loops/{loop}/{subject}', params: ['loop' => $loop, 'subject' => $subject], body: $body, options: $options);
    }
}
