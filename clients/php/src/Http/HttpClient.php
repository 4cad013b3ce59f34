<?php

declare(strict_types=1);

namespace Postrider\Http;

use Postrider\Exception\ConnectionFailedException;

/** Sends one attempt of a request. Implement this interface to use another library than cURL. */
interface HttpClient
{
    /**
     * @param array<string, string> $headers
     * @param float $timeout seconds, for all of it
     * @throws ConnectionFailedException without an answer
     */
    public function send(string $method, string $url, array $headers, ?string $body, float $timeout): Response;

    /**
     * The lines of an endless response, as they arrive.
     *
     * @param array<string, string> $headers
     * @param float $silence the connection is closed after so many seconds without a byte
     * @return \Generator<int, string>
     * @throws ConnectionFailedException when the connection breaks
     */
    public function lines(string $url, array $headers, float $silence): \Generator;
}
