<?php

declare(strict_types=1);

namespace Postrider\Http;

use Postrider\Generated\Operations;

/** Encodes and decodes the JSON of the API. */
final class Json
{
    public static function encode(mixed $body): string
    {
        // A request is an object; PHP has one word for both.
        $given = $body === [] ? new \stdClass() : self::prepared($body);
        try {
            return json_encode($given, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION);
        } catch (\JsonException $cause) {
            throw new \InvalidArgumentException("This cannot be sent as JSON: {$cause->getMessage()}", 0, $cause);
        }
    }

    /** As the API writes it. */
    public static function moment(\DateTimeInterface $moment): string
    {
        $utc = \DateTimeImmutable::createFromInterface($moment)->setTimezone(new \DateTimeZone('UTC'));
        return $utc->format('Y-m-d\TH:i:s.v\Z');
    }

    /** Only the outermost value is known to be an object; the content, such as template data, belongs to the caller. */
    private static function prepared(mixed $value, bool $isOwn = false): mixed
    {
        if ($value instanceof \DateTimeInterface) {
            return self::moment($value);
        }
        if (!is_array($value)) {
            return $value;
        }
        $prepared = [];
        foreach ($value as $name => $inner) {
            $isObject = !$isOwn && is_string($name) && isset(Operations::OBJECTS[$name]);
            $prepared[$name] = $isObject && $inner === [] ? new \stdClass() : self::prepared($inner, $isOwn || $isObject);
        }
        return $prepared;
    }
}
