<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

final class Operations
{
    /** Those that take an `Idempotency-Key`. */
    public const KEYED = [
        'POST /emails/batch' => true,
        'POST /emails/batch/mixed' => true,
        'POST /emails/resend' => true,
        'POST /emails/send' => true,
        'POST /emails/{id}/resend' => true,
        'POST /inbound/{id}/reply' => true,
    ];

    /** Fields that hold an object wherever they are sent: an empty array there is `{}`, and not `[]`. */
    public const OBJECTS = [
        'canary' => true,
        'curves' => true,
        'data' => true,
        'headers' => true,
        'metadata' => true,
        'policy' => true,
        'query' => true,
        'sample_data' => true,
        'template_data' => true,
        'warm_up' => true,
        'worse' => true,
    ];
}
