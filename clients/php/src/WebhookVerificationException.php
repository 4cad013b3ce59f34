<?php

declare(strict_types=1);

namespace Postrider;

/** The call cannot be trusted. `reason` is a code. */
final class WebhookVerificationException extends \RuntimeException
{
    /** @param 'missing_header'|'invalid_timestamp'|'too_old'|'too_new'|'invalid_secret'|'wrong_signature'|'invalid_payload' $reason */
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
