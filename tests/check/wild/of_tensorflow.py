"""TensorFlow: float32 alone, and a loss of Keras with the labels first."""
import tensorflow as tf


def nt_xent(one, other, temperature=0.1):
    rows = tf.math.l2_normalize(tf.concat([one, other], 0), axis=1)
    logits = tf.matmul(rows, rows, transpose_b=True) / temperature - 1e9 * tf.eye(len(rows))
    labels = tf.roll(tf.range(len(rows)), len(one), 0)
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))


class SupCon(tf.keras.losses.Loss):
    def call(self, labels, features):
        rows = tf.math.l2_normalize(features, 1)
        others = 1 - tf.eye(len(rows))
        same = tf.cast(tf.equal(labels[:, None], labels[None]), tf.float32) * others
        logits = tf.matmul(rows, rows, transpose_b=True) / 0.2 - 1e9 * tf.eye(len(rows))
        log_p = logits - tf.reduce_logsumexp(logits, 1, keepdims=True)
        count = tf.reduce_sum(same, 1)
        each = -tf.reduce_sum(log_p * same, 1) / tf.maximum(count, 1)
        return tf.boolean_mask(each, count > 0)
