<?php

declare(strict_types=1);

namespace Postrider\Http;

use Postrider\Exception;
use Postrider\Exception\PostriderException;

/** A response. */
final class Response
{
    private const BY_STATUS = [
        400 => Exception\ValidationException::class,
        401 => Exception\AuthenticationException::class,
        403 => Exception\PermissionDeniedException::class,
        404 => Exception\NotFoundException::class,
        409 => Exception\ConflictException::class,
        429 => Exception\RateLimitException::class,
    ];

    /** @param array<string, string> $headers by their names in lower case */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }

    /** The content of the response: JSON, or text if the API returns a file. Throws an error if the response is one. */
    public function read(): mixed
    {
        if ($this->status < 200 || $this->status >= 300) {
            throw $this->failure();
        }
        if ($this->body === '') {
            return null;
        }
        if (str_contains($this->headers['content-type'] ?? '', 'json')) {
            try {
                return json_decode($this->body, true, 512, JSON_THROW_ON_ERROR);
            } catch (\JsonException) {
                throw $this->unreadable();
            }
        }
        if (preg_match('/^\s*<(!doctype|html)/i', $this->body) === 1) {
            throw $this->unreadable();
        }
        return $this->body;
    }

    /** The error of a response. */
    public function failure(): PostriderException
    {
        $kind = self::BY_STATUS[$this->status]
            ?? ($this->status >= 500 ? Exception\ServerException::class : PostriderException::class);
        $told = json_decode($this->body, true)['error'] ?? [];
        $isOurs = is_string($told['code'] ?? null) && is_string($told['message'] ?? null);
        $unexpected = "The answer was {$this->status}, and not one of Postrider's. Is the base URL its address?";
        return new $kind(
            $isOurs ? $told['message'] : $unexpected,
            $isOurs ? $told['code'] : 'UNEXPECTED_RESPONSE',
            $this->status,
            $isOurs && is_array($told['details'] ?? null) ? $told['details'] : [],
            $this->headers['x-request-id'] ?? null,
            self::seconds($this->headers['retry-after'] ?? null),
        );
    }

    /** A success that cannot be parsed: a proxy answered instead of the API. */
    private function unreadable(): PostriderException
    {
        return new PostriderException(
            "The answer is not JSON. Is the base URL the address of Postrider's API?",
            'UNEXPECTED_RESPONSE',
            $this->status,
            requestId: $this->headers['x-request-id'] ?? null,
        );
    }

    /** Seconds, or a date. */
    private static function seconds(?string $header): ?float
    {
        if ($header === null) {
            return null;
        }
        if (is_numeric($header)) {
            $seconds = (float) $header;
            return is_finite($seconds) ? max(0.0, $seconds) : null;
        }
        $moment = \DateTimeImmutable::createFromFormat(\DateTimeInterface::RFC7231, $header);
        return $moment === false ? null : max(0.0, (float) ($moment->getTimestamp() - time()));
    }
}
