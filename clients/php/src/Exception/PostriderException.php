<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** The errors of a call extend this class, with an `errorCode`. `status` is 0 if there was no response. */
class PostriderException extends \RuntimeException
{
    /** Number of attempts. */
    public int $attempts = 1;

    /**
     * @param string $errorCode one of the API, or `CONNECTION_FAILED`, `TIMED_OUT`, `UNEXPECTED_RESPONSE`
     * @param int $status of the HTTP answer; 0 when there was none
     * @param list<array{field: string, message: string}> $details every problem found in the request; `field` is a path such as `to[0].email`
     * @param ?string $requestId finds the request in the server's log
     * @param ?float $retryAfter seconds
     */
    public function __construct(
        string $message,
        public readonly string $errorCode,
        public readonly int $status = 0,
        public readonly array $details = [],
        public readonly ?string $requestId = null,
        public readonly ?float $retryAfter = null,
    ) {
        parent::__construct($message);
    }
}
