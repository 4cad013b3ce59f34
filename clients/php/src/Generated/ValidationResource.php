<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * Is this an address that takes mail?
 *
 * @phpstan-import-type ValidationResult from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class ValidationResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * Validate an address.
     *
     * @param string $email
     * @param RequestOptions $options
     * @return ValidationResult
     */
    public function validate(string $email, array $options = []): array
    {
        return $this->api->data('POST /emails/validate', body: ['email' => $email], options: $options);
    }

    /**
     * Validate up to 100 addresses.
     *
     * @param list<string> $emails
     * @param RequestOptions $options
     * @return list<ValidationResult>
     */
    public function validateBatch(array $emails, array $options = []): array
    {
        return $this->api->data('POST /emails/validate/batch', body: ['emails' => $emails], options: $options);
    }
}
