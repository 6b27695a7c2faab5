extension JudgingSchema {
  /// The compact form of a plate, as posts write it.
  static let plates = #"""
    -- Letters and digits of the two scripts, in capital Latin letters; what only divides is left out, and what is
    -- neither is kept as it is: a dropped letter makes another vehicle.
    CREATE OR REPLACE FUNCTION compact(plate text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      -- Names of provinces, zones and categories, longest first, then consonants, each read as a whole.
      words CONSTANT text[] := ARRAY[
        'सुदूरपश्चिम', 'लुम्बिनी', 'कर्णाली', 'बागमती', 'गण्डकी', 'प्रदेश', 'नेपाल', 'कोशी', 'मधेश',
        'बा', 'ना', 'को', 'सा', 'मे', 'लु', 'रा', 'भे', 'से', 'पा'];
      latin CONSTANT text[] := ARRAY[
        'SUDURPASHCHIM', 'LUMBINI', 'KARNALI', 'BAGMATI', 'GANDAKI', 'PRADESH', 'NEPAL', 'KOSHI', 'MADHESH',
        'BA', 'NA', 'KO', 'SA', 'ME', 'LU', 'RA', 'BHE', 'SE', 'PA'];
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
      IF plate COLLATE "C" !~ '[^0-9A-Z]' THEN RETURN plate; END IF;
      rest := translate(upper(plate COLLATE "C"), '०१२३४५६७८९', '0123456789');
      rest := regexp_replace(
        rest, U&'[\\s.,/:_\00A0\00B7\0964\200B-\200D\2010-\2015\202F\FEFF-]', '', 'g');
      IF rest COLLATE "C" !~ '[^0-9A-Z]' THEN RETURN rest; END IF;
      <<letters>>
      WHILE rest <> '' LOOP
        FOR word IN 1..cardinality(words) LOOP
          IF starts_with(rest, words[word]) THEN
            made := made || latin[word];
            rest := substr(rest, length(words[word]) + 1);
            CONTINUE letters;
          END IF;
        END LOOP;
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
      RETURN made;
    END $$;

    -- The whole second of a moment, floored as a post floors it.
    CREATE OR REPLACE FUNCTION second_of(moment timestamptz) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
    $$ SELECT floor(extract(epoch FROM moment AT TIME ZONE 'UTC'))::bigint $$;
    """#
}
