extension JudgingSchema {
  /// The compact form of a plate, as posts write it.
  static let plates = #"""
    -- The short form of a plate that one of Nepal's seven provinces gave, of its groups of capital letters or digits
    -- with a blank between; null where it is none of a province, or where the province is not said.
    CREATE OR REPLACE FUNCTION provincial(groups text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      words CONSTANT text := coalesce((regexp_match(groups COLLATE "C", '^[A-Z]+(?: [A-Z]+)*'))[1], '');
      head CONSTANT text := replace(words, ' ', '');
      names CONSTANT text[] := ARRAY['KOSHI', 'KOSI', 'MADHESH', 'MADHES', 'MADESH', 'BAGMATI', 'BAGAMATI',
        'BAAGMATI', 'WAGMATI', 'VAGMATI', 'GANDAKI', 'LUMBINI', 'KARNALI', 'SUDURPASHCHIM', 'SUDURPASCHIM',
        'SUDOORPASHCHIM', 'SUDOORPASCHIM', 'SUDURPACHHIM'];
      numbers CONSTANT integer[] := ARRAY[1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 4, 5, 6, 7, 7, 7, 7, 7];
      brief CONSTANT text[] := ARRAY['KO', 'MA', 'BA', 'GA', 'LU', 'KA', 'SU'];
      made text[];
      province text;
      is_sure boolean := true;
      letters text := '';
      digits text[];
      serial text;
      more text;
      lot text;
      place integer;
    BEGIN
      IF head = '' THEN RETURN NULL; END IF;
      made := regexp_match(head, '^(?:P|(?:PRADESH|PROVINCE|PROV|STATE|PRA)(?:NUMBER|NO)?)$');
      IF made IS NULL THEN
        -- A name that stands by itself is that one, whatever letters follow it.
        place := coalesce(
          array_position(names, split_part(words, ' ', 1)),
          array_position(names, replace((regexp_match(words COLLATE "C", '^[A-Z]+ [A-Z]+'))[1], ' ', '')),
          (SELECT min(n.place) FROM unnest(names) WITH ORDINALITY AS n(name, place) WHERE starts_with(head, n.name)));
        IF place IS NOT NULL THEN
          province := numbers[place]::text;
          letters := substr(head, length(names[place]) + 1);
          made := regexp_match(letters, '^(?:PRADESH|PROVINCE|PROV|STATE|PRA)(.*)$');
          is_sure := made IS NOT NULL;
          letters := coalesce(made[1], letters);
        ELSE
          made := regexp_match(head, '^(KO|MA|BA|GA|LU|KA|SU)(?:PRADESH|PROVINCE|PRA)(.*)$');
          IF made IS NULL THEN RETURN NULL; END IF;
          province := array_position(brief, made[1])::text;
          letters := made[2];
        END IF;
      END IF;
      made := regexp_match(substr(groups, length(words) + 1) COLLATE "C",
        '^((?: ?[0-9]+)*)((?: ?[A-Z]+)*)((?: ?[0-9]+)*)((?: ?[A-Z0-9]+)*)$');
      digits := array_remove(string_to_array(trim(made[1]), ' '), '');
      more := replace(made[4], ' ', '');
      IF province IS NULL THEN
        -- A digit by itself, or the first of a group that has the office too.
        IF cardinality(digits) = 0 OR digits[1] !~ '^[1-7]' THEN RETURN NULL; END IF;
        province := left(digits[1], 1);
        IF length(digits[1]) = 1 THEN
          digits := digits[2:];
        ELSIF cardinality(digits) = 1 OR (cardinality(digits) = 2 AND length(digits[1]) = 3) THEN
          digits[1] := substr(digits[1], 2);
        ELSE
          RETURN NULL;
        END IF;
        letters := replace(made[2], ' ', '');
        serial := replace(made[3], ' ', '');
      ELSIF letters <> '' THEN
        IF made[2] <> '' THEN RETURN NULL; END IF;
        serial := array_to_string(digits, '');
        digits := '{}';
      ELSE
        letters := replace(made[2], ' ', '');
        serial := replace(made[3], ' ', '');
      END IF;
      IF length(letters) BETWEEN 1 AND 4 AND length(serial) BETWEEN 1 AND 4 AND more = '' THEN
        lot := CASE WHEN cardinality(digits) = 2 AND length(digits[1]) <= 2 AND length(digits[2]) <= 3
          THEN lpad(digits[1], 2, '0') || lpad(digits[2], 3, '0') ELSE array_to_string(digits, '') END;
        IF length(lot) = 5 THEN
          RETURN 'P' || province || lot || letters || lpad(serial, 4, '0');
        END IF;
        IF lot = '' AND letters COLLATE "C" ~ '^[A-K][A-Z]{2}$'
          AND (is_sure OR letters !~ 'HA$' OR words COLLATE "C" ~ '(^| )[A-Z] [A-Z]{2}$')
        THEN
          RETURN 'P' || province || letters || lpad(serial, 4, '0');
        END IF;
      END IF;
      RETURN CASE WHEN is_sure AND (letters <> '' OR cardinality(digits) > 0)
        THEN 'P' || province || array_to_string(digits, '') || letters || serial || more END;
    END $$;

    -- What is joined is read as a text that came joined would be.
    CREATE OR REPLACE FUNCTION shortened(plate text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    BEGIN
      IF plate COLLATE "C" !~ '^(P[1-7]|[A-Z]{3})' THEN RETURN plate; END IF;
      RETURN coalesce(
        checkpost.provincial(trim(regexp_replace(plate COLLATE "C", '([A-Z]+|[0-9]+)', '\1 ', 'g'))), plate);
    END $$;

    -- Letters and digits of the two scripts, in capital Latin letters; what only divides is left out, and what is
    -- neither is kept as it is: a dropped letter makes another vehicle.
    CREATE OR REPLACE FUNCTION compact(plate text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      -- Names of provinces, zones and categories, longest first, then consonants, each read as a whole.
      words CONSTANT text[] := ARRAY[
        'सुदूरपश्चिम', 'सुदुरपश्चिम', 'लुम्बिनी', 'लुम्विनी', 'कर्णाली', 'कर्नाली', 'वाग्मती', 'बाग्मती', 'पश्चिम',
        'बागमती', 'वागमती', 'गण्डकी', 'गन्डकी', 'प्रदेश', 'प्रदेस', 'सुदूर', 'सुदुर', 'नेपाल', 'कोशी', 'कोसी', 'मधेश', 'मधेस',
        'प्र', 'बा', 'ना', 'को', 'सा', 'मे', 'लु', 'रा', 'भे', 'से', 'पा'];
      latin CONSTANT text[] := ARRAY[
        'SUDURPASHCHIM', 'SUDURPASHCHIM', 'LUMBINI', 'LUMBINI', 'KARNALI', 'KARNALI', 'BAGMATI', 'BAGMATI', 'PASHCHIM',
        'BAGMATI', 'BAGMATI', 'GANDAKI', 'GANDAKI', 'PRADESH', 'PRADESH', 'SUDUR', 'SUDUR', 'NEPAL', 'KOSHI', 'KOSHI',
        'MADHESH', 'MADHESH', 'PRA', 'BA', 'NA', 'KO', 'SA', 'ME', 'LU', 'RA', 'BHE', 'SE', 'PA'];
      consonants CONSTANT text := 'कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह';
      sounds CONSTANT text[] := ARRAY[
        'K', 'KH', 'G', 'GH', 'NG', 'CH', 'CHH', 'J', 'JH', 'NY', 'T', 'TH', 'D', 'DH', 'N', 'T', 'TH', 'D',
        'DH', 'N', 'P', 'PH', 'B', 'BH', 'M', 'Y', 'R', 'L', 'W', 'SH', 'SH', 'S', 'H'];
      signs CONSTANT text := U&'\093E\093F\0940\0941\0942\0947\0948\094B\094C';
      vowels CONSTANT text[] := ARRAY['A', 'I', 'I', 'U', 'U', 'E', 'AI', 'O', 'AU'];
      rest text;
      made text := '';
      place integer;
    BEGIN
      IF plate COLLATE "C" !~ '[^0-9A-Z]' THEN RETURN checkpost.shortened(plate); END IF;
      rest := translate(upper(plate COLLATE "C"), '०१२३४५६७८९', '0123456789');
      rest := regexp_replace(
        rest, U&'[\\s.,/:_\00A0\00B7\0964\200B-\200D\2010-\2015\202F\FEFF-]+', ' ', 'g');
      IF rest COLLATE "C" !~ '[^0-9A-Z ]' THEN
        made := rest;
        rest := '';
      END IF;
      <<letters>>
      WHILE rest <> '' LOOP
        FOR word IN 1..cardinality(words) LOOP
          IF starts_with(rest, words[word]) THEN
            made := made || latin[word];
            rest := substr(rest, length(words[word]) + 1);
            CONTINUE letters;
          END IF;
        END LOOP;
        -- A word for "number" stands between "province" and its number.
        place := CASE WHEN replace(made, ' ', '') IN ('PRADESH', 'PRA')
          THEN length((regexp_match(rest, '^(?:नम्बर|नंबर|नं)'))[1]) ELSE 0 END;
        IF place > 0 THEN
          made := made || ' ';
          rest := substr(rest, place + 1);
          CONTINUE;
        END IF;
        place := strpos(consonants, left(rest, 1));
        IF place = 0 THEN
          made := made || left(rest, 1);
          rest := substr(rest, 2);
          CONTINUE;
        END IF;
        made := made || sounds[place];
        rest := substr(rest, 2);
        place := CASE WHEN rest = '' THEN 0 ELSE strpos(signs, left(rest, 1)) END;
        IF place = 0 THEN
          made := made || 'A';
        ELSE
          made := made || vowels[place];
          rest := substr(rest, 2);
        END IF;
      END LOOP;
      IF made COLLATE "C" ~ '[^0-9A-Z ]' THEN RETURN replace(made, ' ', ''); END IF;
      made := trim(regexp_replace(regexp_replace(made COLLATE "C", '([A-Z]+|[0-9]+)', '\1 ', 'g'), ' +', ' ', 'g'));
      RETURN checkpost.shortened(coalesce(checkpost.provincial(made), replace(made, ' ', '')));
    END $$;

    -- The whole second of a moment, floored as a post floors it.
    CREATE OR REPLACE FUNCTION second_of(moment timestamptz) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
    $$ SELECT floor(extract(epoch FROM moment AT TIME ZONE 'UTC'))::bigint $$;

    -- The moment of a second, as far as there is one.
    CREATE OR REPLACE FUNCTION moment_of(second bigint) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
    $$ SELECT to_timestamp(least(greatest(second, 0), 253402300799)) $$;
    """#
}
