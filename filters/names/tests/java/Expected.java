// Writes what a JDK says into the tables that the tests of this filter read. Needs JDK 17: later
// ones know later Unicode versions and another \b.
//
//   java tests/java/Expected.java cases tests/java/cases.tsv      fills in the third column
//   java tests/java/Expected.java sets tests/java/sets.tsv        fills in the second and third column;
//                                                                 takes minutes
//   java tests/java/Expected.java random 20260601 1200 > tests/java/random.tsv
//
// In the tables, %HEX; is the character of that code point; lines that start with # are comments.
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

public class Expected {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "cases" -> rewrite(Path.of(args[1]), f -> f[0] + "\t" + f[1] + "\t" + answer(f[0], f[1]));
            case "sets" -> rewrite(Path.of(args[1]), f -> f[0] + "\t" + members(f[0]));
            case "random" -> new Generator(Long.parseLong(args[1])).print(Integer.parseInt(args[2]));
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    interface Row {
        String of(String[] fields);
    }

    static void rewrite(Path table, Row row) throws Exception {
        List<String> out = new ArrayList<>();
        for (String line : Files.readAllLines(table)) {
            out.add(line.startsWith("#") || line.isEmpty() ? line : row.of((line + "\t").split("\t", -1)));
        }
        Files.write(table, out);
    }

    static String answer(String pattern, String input) {
        try {
            return String.valueOf(Pattern.compile(decode(pattern)).matcher(decode(input)).matches());
        } catch (PatternSyntaxException e) {
            return "error";
        }
    }

    /** How many single characters a pattern matches, and a hash of which. */
    static String members(String pattern) {
        Matcher matcher;
        try {
            matcher = Pattern.compile(decode(pattern)).matcher("");
        } catch (PatternSyntaxException e) {
            return "error\t0";
        }
        long hash = 0xcbf29ce484222325L;
        int count = 0;
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            boolean surrogate = c >= 0xD800 && c <= 0xDFFF;
            if (!surrogate && matcher.reset(new String(Character.toChars(c))).matches()) {
                count++;
                hash = (hash ^ c) * 0x100000001b3L;
            }
        }
        return count + "\t" + Long.toHexString(hash);
    }

    static String decode(String text) {
        return Pattern.compile("%([0-9A-Fa-f]+);").matcher(text)
            .replaceAll(m -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(m.group(1), 16))));
    }

    static String encode(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (c == '%' || c < 32 || (c >= 0x7f && c <= 0xa0) || c == 0x2028 || c == 0x2029) {
                out.append('%').append(Integer.toHexString(c).toUpperCase()).append(';');
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }

    /** Small patterns over a small alphabet, each asked for a few short inputs. */
    static class Generator {
        static final String[] ATOMS = {"a", "b", "c", "a", "b", ".", "\\w", "\\b", "\\B", "^", "$", "[ab]", "[^a]",
            "[a-b&&[^a]]", "[^b&&a]", "[a[c]&&bc]", "\\R", "\\h", "\\W", "\\z", "\\n", "é", "(?i)", "(?-i)", "A", "\\Z"};
        static final String[] QUANTIFIERS = {"*", "+", "?", "{2}", "{1,2}", "{0,3}", "{2,}", "*?", "+?", "??", "{1,2}?",
            "*+", "++", "?+", "{2}+", "{1,2}+"};
        static final String[] LETTERS = {"a", "b", "a", "b", "c", "A", "é", "\n", "\r"};
        final Random random;
        int groups;

        Generator(long seed) {
            random = new Random(seed);
        }

        void print(int patterns) throws Exception {
            PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
            TreeSet<String> seen = new TreeSet<>();
            while (seen.size() < patterns) {
                groups = 0;
                String pattern = encode(alternatives(2 + random.nextInt(2)));
                if (!seen.add(pattern)) {
                    continue;
                }
                for (String input : inputs(pattern)) {
                    out.println(pattern + "\t" + input + "\t" + answer(pattern, input));
                }
            }
            out.flush();
        }

        /** Up to three names that the pattern matches and three that it does not. */
        TreeSet<String> inputs(String pattern) {
            TreeSet<String> matched = new TreeSet<>();
            TreeSet<String> others = new TreeSet<>();
            for (int i = 0; i < 60; i++) {
                String input = encode(input());
                TreeSet<String> chosen = answer(pattern, input).equals("true") ? matched : others;
                if (chosen.size() < 3) {
                    chosen.add(input);
                }
            }
            matched.addAll(others);
            return matched;
        }

        String input() {
            StringBuilder out = new StringBuilder();
            for (int i = random.nextInt(6); i > 0; i--) {
                out.append(LETTERS[random.nextInt(random.nextInt(3) == 0 ? LETTERS.length : 4)]);
            }
            return out.toString();
        }

        String alternatives(int depth) {
            String out = sequence(depth);
            while (random.nextInt(4) == 0) {
                out += "|" + sequence(depth);
            }
            return out;
        }

        String sequence(int depth) {
            StringBuilder out = new StringBuilder();
            for (int i = random.nextInt(7) / 2; i > 0; i--) {
                out.append(atom(depth));
                if (random.nextInt(5) < 2) {
                    out.append(QUANTIFIERS[random.nextInt(QUANTIFIERS.length)]);
                }
            }
            return out.toString();
        }

        String atom(int depth) {
            int kind = random.nextInt(20);
            if (kind < 10 || depth == 0) {
                return ATOMS[random.nextInt(random.nextBoolean() ? 5 : ATOMS.length)];
            }
            if (kind < 11 && groups > 0) {
                return "\\" + (1 + random.nextInt(groups));
            }
            if (kind < 15) {
                groups++;
                return "(" + alternatives(depth - 1) + ")";
            }
            String[] heads = {"(?:", "(?:", "(?:", "(?>", "(?=", "(?!", "(?<=", "(?i:"};
            return heads[random.nextInt(heads.length)] + alternatives(depth - 1) + ")";
        }
    }
}
